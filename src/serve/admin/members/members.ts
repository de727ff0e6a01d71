// Members: create, edit, delete (facts 6.7, decisions, Admin). Each save is one action and one transaction,
// so that whatever is refused stores nothing; a save that changes nothing leaves the member as it was.
import { randomBytes, randomUUID } from 'node:crypto';
import { invalid, notFound } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import { findKeyById } from '../../../publication/store/access/keys.ts';
import { deleteChosen, keepLeftOfAddress } from '../../../publication/store/members/member-bulk.ts';
import {
  hasPayingSubscription,
  newsletterIdsOf,
  noteCreated,
  noteLeft,
  noteStatus,
  replaceNewsletters,
  replaceTier,
  type TierLink,
  tierLinksOf,
} from '../../../publication/store/members/member-links.ts';
import {
  findMember,
  findMemberByEmail,
  insertMember,
  isSuppressed,
  type MemberRow,
  updateMember,
} from '../../../publication/store/members/members.ts';
import { timeOfSave } from '../../../publication/store/members/time-of-save.ts';
import { replaceLinks } from '../../../publication/store/ordered-links.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import type { MemberCreateInput, MemberEditInput } from '../../contract/input/member-input.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { saveContent } from '../save-content.ts';
import type { WriteContext } from '../use-case-context.ts';
import {
  newslettersAfterEdit,
  newslettersOfNew,
  resolveLabels,
  resolveTier,
} from './member-relations.ts';

/** Answers the new member's id. Throws VALIDATION. `keyId` is the admin key that asks. */
export const createMember = async (
  { store, clock }: WriteContext,
  input: MemberCreateInput,
  keyId: string,
): Promise<string> => {
  const nowMs = await timeOfSave(store, clock.now());
  const memberId = createId(nowMs);
  const target = { memberId, nowMs };
  const labels = { table: 'members_labels', of: memberId } as const;
  refuseProcessor(input);
  await saveContent({ store }, nowMs, async (tx) => {
    await refuseTaken(tx, { email: input.email, action: 'add', exceptId: '' });
    const newsletters = await newslettersOfNew(tx, input);
    const tier = await resolveTier(tx, input.tiers ?? [], null);
    const status = tier === null ? 'free' : 'comped';
    await insertMember(tx, {
      ...newRow(memberId, nowMs),
      email: input.email,
      name: input.name ?? null,
      note: input.note ?? null,
      status,
      email_disabled: Number(await isSuppressed(tx, input.email)),
    });
    await replaceLinks(tx, labels, await resolveLabels(tx, input.labels ?? [], nowMs));
    const noting = { ...target, source: 'admin' } as const;
    await replaceNewsletters(tx, noting, newsletters);
    const declines = input.subscribed === false || input.newsletters?.length === 0;
    if (declines && newsletters.length === 0) await noteLeft(tx, noting, [null]);
    if (tier !== null) await replaceTier(tx, target, tier);
    await noteStatus(tx, target, { from: null, to: status });
    const key = await findKeyById(tx, keyId);
    const source = `Integration: ${key?.name ?? 'Admin key'}`;
    await noteCreated(tx, target, { source, medium: 'Admin API' });
  });
  return memberId;
};

const newRow = (id: string, nowMs: number) => ({
  id,
  uuid: randomUUID(),
  transient_id: randomBytes(16).toString('hex'),
  expertise: null,
  geolocation: null,
  enable_updates_and_announcements: null,
  email_open_rate: null,
  last_seen_at: null,
  last_commented_at: null,
  commenting: null,
  created_at: toStoredTime(nowMs),
  updated_at: toStoredTime(nowMs),
});

/** There is no payment processor here, so nobody can be made its customer. */
const refuseProcessor = ({ comped, tiers, stripe_customer_id }: MemberCreateInput): void => {
  const property = stripe_customer_id
    ? 'stripe_customer_id'
    : comped === true && !tiers?.length
      ? 'comped'
      : null;
  if (property === null) return;
  throw invalid(property, `${property} needs a payment processor: send tiers instead.`);
};

/** Throws NOT_FOUND, VALIDATION. */
export const editMember = async (
  { store, clock }: WriteContext,
  id: string,
  input: MemberEditInput,
): Promise<void> => {
  const nowMs = await timeOfSave(store, clock.now());
  const target = { memberId: id, nowMs };
  const labels = { table: 'members_labels', of: id } as const;
  await saveContent({ store }, nowMs, async (tx) => {
    const stored = await findMember(tx, id);
    if (stored === undefined) throw notFound('Member');
    const changes = await planColumns(tx, stored, input);
    const status = await saveTier(tx, { stored, nowMs }, input);
    const isRelabelled =
      input.labels != null &&
      (await replaceLinks(tx, labels, await resolveLabels(tx, input.labels, nowMs)));
    const newsletters = await newslettersAfterEdit(tx, input, await newsletterIdsOf(tx, id));
    const isResubscribed =
      newsletters !== null &&
      (await replaceNewsletters(tx, { ...target, source: 'admin' }, newsletters));
    const hasChanged = Object.keys(changes).length > 0 || isRelabelled || isResubscribed;
    if (!hasChanged && status === null) return;
    await updateMember(tx, id, {
      ...changes,
      ...(status !== null && { status }),
      updated_at: nextUpdate(stored.updated_at, nowMs),
    });
  });
};

const planColumns = async (
  tx: Transaction,
  stored: MemberRow,
  { email, name, note }: MemberEditInput,
): Promise<Partial<MemberRow>> => {
  const changes = changedColumns<MemberRow>(stored, { email, name, note });
  if (changes.email === undefined) return changes;
  await refuseTaken(tx, { email: changes.email, action: 'edit', exceptId: stored.id });
  // Last month's file has the address, too.
  await keepLeftOfAddress(tx, stored.id);
  return { ...changes, email_disabled: Number(await isSuppressed(tx, changes.email)) };
};

/** The member's status after its tier was saved, or null when nothing of it changed. */
const saveTier = async (
  tx: Transaction,
  { stored, nowMs }: { readonly stored: MemberRow; readonly nowMs: number },
  { tiers }: MemberEditInput,
): Promise<string | null> => {
  if (!tiers) return null;
  const wanted = await resolveTier(tx, tiers, stored.id);
  const held = await tierLinksOf(tx, stored.id);
  if (isSameTier(held, wanted)) return null;
  if (await hasPayingSubscription(tx, stored.id)) {
    throw invalid('tiers', 'The tier of a member with an active subscription cannot be changed.');
  }
  const target = { memberId: stored.id, nowMs };
  await replaceTier(tx, target, wanted);
  const isOtherTier = !held.some(({ tierId }) => tierId === wanted?.tierId);
  const status = wanted === null ? 'free' : isOtherTier ? 'comped' : stored.status;
  if (status !== stored.status) {
    await noteStatus(tx, target, { from: stored.status, to: status });
  }
  return status;
};

const isSameTier = (held: readonly TierLink[], wanted: TierLink | null): boolean => {
  if (wanted === null) return held.length === 0;
  const [link, ...more] = held;
  return (
    more.length === 0 &&
    link?.tierId === wanted.tierId &&
    parseStoredTime(link.expiryAt) === parseStoredTime(wanted.expiryAt)
  );
};

/** Throws NOT_FOUND. */
export const deleteMember = async ({ store, clock }: WriteContext, id: string): Promise<void> => {
  await saveContent({ store }, clock.now(), async (tx) => {
    if ((await findMember(tx, id)) === undefined) throw notFound('Member');
    await deleteChosen(tx, [id]);
  });
};

/** Throws VALIDATION when another member has the address, letter case aside. */
const refuseTaken = async (
  tx: Transaction,
  { email, action, exceptId }: Record<'email' | 'action' | 'exceptId', string>,
): Promise<void> => {
  const other = await findMemberByEmail(tx, email);
  if (other === undefined || other.id === exceptId) return;
  throw invalid(
    'email',
    `Member already exists. Attempting to ${action} member with existing email address.`,
  );
};
