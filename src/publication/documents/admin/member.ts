// A member as the admin interface shows it in a list and in a webhook. Never for `output/`.
// `storedMember` holds what is stored, with the linked labels, newsletters and tiers; derived keys
// (avatar, commenting rights) are left out of a webhook's `previous`.

import { createHash } from 'node:crypto';
import { parseJsonObject } from '../../../base/text/json-value.ts';
import { pick, pickAs } from '../../../base/text/words.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { AdminContext, JsonObject } from './document-context.ts';
import { adminLabel } from './label.ts';
import { adminMemberTier } from './tier.ts';
import { adminTime, flag } from './values.ts';

export type MemberTier = {
  readonly tier: RecordRow<'tiers'>;
  readonly expiryAt: string | number | null;
};

export type MemberRecord = {
  readonly member: RecordRow<'members'>;
  readonly labels: readonly RecordRow<'labels'>[];
  /** All newsletters the member is linked to, archived ones too. */
  readonly newsletters: readonly RecordRow<'newsletters'>[];
  readonly tiers: readonly MemberTier[];
  /** In the admin shape already. */
  readonly subscriptions: readonly JsonObject[];
};

export type Commenting = {
  readonly disabled: boolean;
  readonly disabled_reason: string | null;
  readonly disabled_until: string | null;
};

/** The keys of a member in a list, with `newsletters` and `tiers`. */
export const adminMember = (record: MemberRecord, context: AdminContext): JsonObject => {
  const { member } = record;
  const stored = storedMember(record);
  return {
    ...stored,
    subscribed: activeNewsletters(record).length > 0,
    comped: member.status === 'comped',
    avatar_image: context.hasAvatars ? avatarOf(member.email) : null,
    subscriptions: record.subscriptions,
    can_comment: canComment(readCommenting(member.commenting), context.now),
  };
};

export const storedMember = (record: MemberRecord): JsonObject => {
  const { member } = record;
  return {
    ...pick(member, 'id uuid email'),
    ...pickAs(member, 'name note geolocation', (text) => text || null),
    status: member.status,
    ...pickAs(member, 'created_at updated_at last_seen_at', adminTime),
    ...pick(member, 'email_count email_opened_count email_open_rate'),
    enable_comment_notifications: flag(member.enable_comment_notifications),
    enable_updates_and_announcements:
      member.enable_updates_and_announcements === null
        ? null
        : flag(member.enable_updates_and_announcements),
    commenting: readCommenting(member.commenting),
    labels: record.labels.map(adminLabel),
    newsletters: activeNewsletters(record).map(linkedNewsletter),
    tiers: record.tiers.map(({ tier, expiryAt }) => adminMemberTier(tier, expiryAt)),
  };
};

/** The whole stored member, as a webhook's `previous` shows a deleted one. */
export const deletedMember = (record: MemberRecord, { now }: AdminContext): JsonObject => ({
  ...storedMember(record),
  can_comment: canComment(readCommenting(record.member.commenting), now),
});

/** Text that cannot be read counts as enabled (facts 6.2). */
export const readCommenting = (text: string | null): Commenting => {
  const value = parseJsonObject(text ?? '') ?? {};
  const reason = value.disabled_reason ?? value.disabledReason;
  const until = value.disabled_until ?? value.disabledUntil;
  return {
    disabled: value.disabled === true,
    disabled_reason: typeof reason === 'string' ? reason : null,
    disabled_until:
      typeof until === 'string' || typeof until === 'number' ? adminTime(until) : null,
  };
};

export const canComment = (commenting: Commenting, now: number): boolean => {
  if (!commenting.disabled) return true;
  const until = parseStoredTime(commenting.disabled_until);
  return until !== null && until <= now;
};

export const activeNewsletters = (record: MemberRecord): RecordRow<'newsletters'>[] =>
  record.newsletters
    .filter(({ status }) => status === 'active')
    .sort((a, b) => a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1));

/** As a member that has it shows it. */
export const linkedNewsletter = (newsletter: RecordRow<'newsletters'>) =>
  pick(newsletter, 'id name description status');

export const avatarOf = (email: string): string | null => {
  const name = email.trim().toLowerCase();
  if (name === '') return null;
  const hash = createHash('md5').update(name).digest('hex');
  return `https://www.gravatar.com/avatar/${hash}?s=250&r=g&d=blank`;
};
