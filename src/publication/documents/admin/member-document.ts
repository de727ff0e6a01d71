// A member as the members of the admin interface answer: exactly the keys of interface.md, in its order,
// with the included ones last. Webhooks show the same member in another shape (member.ts).

import { parseJsonObject } from '../../../base/text/json-value.ts';
import { pick, pickAs } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { EmailRecipientRow } from '../../store/members/member-rows.ts';
import type { AdminContext, JsonObject } from './document-context.ts';
import { adminLabel } from './label.ts';
import {
  activeNewsletters,
  avatarOf,
  canComment,
  linkedNewsletter,
  type MemberRecord,
  readCommenting,
} from './member.ts';
import { memberTierDocument } from './tier.ts';
import { adminTime } from './values.ts';

export type MemberParts = {
  readonly record: MemberRecord;
  /** In the shape of the interface already. */
  readonly subscriptions: readonly JsonObject[];
  readonly suppression: { readonly reason: string } | undefined;
  /** E-mails whose opening was tracked, and those that were opened. */
  readonly opens: { readonly tracked: number; readonly opened: number } | undefined;
  readonly unsubscribeUrl: string;
  /** Undefined: left out. */
  readonly attribution?: JsonObject | null | undefined;
  readonly recipients?: readonly EmailRecipientRow[] | undefined;
  readonly hasNewsletters: boolean;
  readonly hasTiers: boolean;
};

export const memberDocument = (parts: MemberParts, context: AdminContext): JsonObject => {
  const { record } = parts;
  const { member } = record;
  const commenting = readCommenting(member.commenting);
  return {
    ...pick(member, 'id uuid email'),
    ...pickAs(member, 'name note', (text) => text || null),
    geolocation: geolocationOf(member.geolocation),
    subscribed: activeNewsletters(record).length > 0,
    status: member.status,
    comped: member.status === 'comped',
    created_at: adminTime(member.created_at),
    updated_at: adminTime(member.updated_at) ?? adminTime(member.created_at),
    last_seen_at: adminTime(member.last_seen_at),
    avatar_image: context.hasAvatars ? avatarOf(member.email) : null,
    ...pick(member, 'email_count email_opened_count'),
    email_open_rate: openRate(member, parts.opens),
    labels: record.labels.map(adminLabel),
    subscriptions: parts.subscriptions,
    unsubscribe_url: parts.unsubscribeUrl,
    can_comment: canComment(commenting, context.now),
    commenting,
    email_suppression: suppressionOf(member, parts.suppression),
    ...(parts.hasNewsletters && {
      newsletters: activeNewsletters(record).map(linkedNewsletter),
    }),
    ...(parts.hasTiers && {
      tiers: record.tiers.map(({ tier, expiryAt }) => memberTierDocument(tier, expiryAt)),
    }),
    ...(parts.attribution !== undefined && { attribution: parts.attribution }),
    ...(parts.recipients !== undefined && {
      email_recipients: parts.recipients.map(recipientDocument),
    }),
  };
};

/** Country, city and region; what else is stored is not shown, what is not known is null. */
const geolocationOf = (stored: string | null): string | null => {
  const known = parseJsonObject(stored ?? '');
  if (known === null) return null;
  const text = (key: string): string | null =>
    typeof known[key] === 'string' && known[key] !== '' ? known[key] : null;
  return JSON.stringify({ country: text('country'), city: text('city'), region: text('region') });
};

/** Fewer tracked e-mails than this say nothing. */
const TRACKED_MIN = 5;

/** In percent, from the delivery records while they are kept, else as it was stored. */
const openRate = (member: RecordRow<'members'>, opens: MemberParts['opens']): number | null => {
  const hasEnough = opens !== undefined && opens.tracked >= TRACKED_MIN;
  const rate = hasEnough ? (opens.opened / opens.tracked) * 100 : member.email_open_rate;
  return rate === null ? null : Math.min(100, Math.max(0, Math.round(rate)));
};

const suppressionOf = (
  member: RecordRow<'members'>,
  suppression: MemberParts['suppression'],
): JsonObject => ({
  suppressed: suppression !== undefined || member.email_disabled === 1,
  info: suppression === undefined ? null : suppression.reason === 'spam' ? 'spam' : 'fail',
});

const recipientDocument = (row: EmailRecipientRow): JsonObject => ({
  ...pick(row, 'id email_id member_id batch_id'),
  ...pickAs(row, 'processed_at delivered_at opened_at failed_at', adminTime),
  ...pick(row, 'member_uuid member_email member_name'),
});
