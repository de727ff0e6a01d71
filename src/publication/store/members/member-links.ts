// The newsletters and tiers that a member is linked to, and the history of those links. A link
// that stays keeps its row: the change log then shows only what changed.
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { untyped } from '../table-rows.ts';

/** Whether the member whose id is in the column gets any newsletter: archived ones stay attached, and do not count. */
export const isSubscribed = (idColumn: string): RawBuilder<boolean> =>
  sql`EXISTS (SELECT 1 FROM members_newsletters AS link JOIN newsletters AS letter
    ON letter.id = link.newsletter_id
    WHERE link.member_id = ${sql.ref(idColumn)} AND letter.status = 'active')`;

type Target = { readonly memberId: string; readonly nowMs: number };

export const newsletterIdsOf = async (from: Queryable, memberId: string): Promise<string[]> => {
  const rows = await db(from)
    .selectFrom('members_newsletters')
    .select('newsletter_id')
    .distinct()
    .where('member_id', '=', memberId)
    .execute();
  return rows.map(({ newsletter_id }) => newsletter_id);
};

type Subscribing = Target & { readonly source: 'admin' | 'member' | 'import' };

/** Makes the member's newsletters exactly `ids`; true when anything changed. */
export const replaceNewsletters = async (
  tx: Transaction,
  { memberId, nowMs, source }: Subscribing,
  ids: readonly string[],
): Promise<boolean> => {
  const present = await newsletterIdsOf(tx, memberId);
  const added = ids.filter((id) => !present.includes(id));
  const removed = present.filter((id) => !ids.includes(id));
  if (removed.length > 0) {
    await db(tx)
      .deleteFrom('members_newsletters')
      .where('member_id', '=', memberId)
      .where('newsletter_id', 'in', removed)
      .execute();
  }
  for (const id of added) {
    await db(tx)
      .insertInto('members_newsletters')
      .values({ id: createId(), member_id: memberId, newsletter_id: id })
      .execute();
  }
  const target = { memberId, nowMs, source };
  await noteSubscribed(tx, { ...target, subscribed: 1 }, added);
  await noteLeft(tx, target, removed);
  return added.length + removed.length > 0;
};

type Noting = Subscribing & { readonly subscribed: 0 | 1 };

/** From these a later import knows what the member does not want; null: whatever newsletter there may be. */
export const noteLeft = (
  tx: Transaction,
  target: Subscribing,
  newsletterIds: readonly (string | null)[],
): Promise<void> => noteSubscribed(tx, { ...target, subscribed: 0 }, newsletterIds);

const noteSubscribed = async (
  tx: Transaction,
  { subscribed, source, ...target }: Noting,
  newsletterIds: readonly (string | null)[],
): Promise<void> => {
  for (const newsletter_id of newsletterIds) {
    await note(tx, target, ['members_subscribe_events', { subscribed, source, newsletter_id }]);
  }
};

type EventTable =
  | 'members_subscribe_events'
  | 'members_tier_events'
  | 'members_status_events'
  | 'members_created_events';

type OwnColumns<T extends EventTable> = Omit<
  Insertable<Tables[T]>,
  'id' | 'member_id' | 'created_at'
>;

/** Adds an event of the member. */
const note = async <T extends EventTable>(
  tx: Transaction,
  { memberId, nowMs }: Target,
  [table, columns]: readonly [T, OwnColumns<T>],
): Promise<void> => {
  const event = { id: createId(nowMs), member_id: memberId, created_at: toStoredTime(nowMs) };
  await untyped(tx)
    .insertInto<string>(table)
    .values({ ...event, ...columns })
    .execute();
};

export type TierLink = { readonly tierId: string; readonly expiryAt: string | number | null };

export const tierLinksOf = async (from: Queryable, memberId: string): Promise<TierLink[]> => {
  const rows = await db(from)
    .selectFrom('members_tiers')
    .select(['tier_id', 'expiry_at'])
    .where('member_id', '=', memberId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();
  return rows.map(({ tier_id, expiry_at }) => ({ tierId: tier_id, expiryAt: expiry_at }));
};

/** Gives the member exactly that tier, or none. */
export const replaceTier = async (
  tx: Transaction,
  { memberId, nowMs }: Target,
  wanted: TierLink | null,
): Promise<void> => {
  const present = await tierLinksOf(tx, memberId);
  const removed = [...new Set(present.map(({ tierId }) => tierId))].filter(
    (id) => id !== wanted?.tierId,
  );
  const isHeld = wanted !== null && present.some(({ tierId }) => tierId === wanted.tierId);
  if (removed.length > 0) {
    await db(tx)
      .deleteFrom('members_tiers')
      .where('member_id', '=', memberId)
      .where('tier_id', 'in', removed)
      .execute();
  }
  if (wanted !== null && isHeld) {
    await db(tx)
      .updateTable('members_tiers')
      .set({ expiry_at: wanted.expiryAt })
      .where('member_id', '=', memberId)
      .execute();
  } else if (wanted !== null) {
    await db(tx)
      .insertInto('members_tiers')
      .values({
        id: createId(nowMs),
        member_id: memberId,
        tier_id: wanted.tierId,
        expiry_at: wanted.expiryAt,
      })
      .execute();
  }
  const events = [
    ...removed.map((tierId) => ({ tierId, action: 'removed' })),
    ...(wanted !== null && !isHeld ? [{ tierId: wanted.tierId, action: 'added' }] : []),
  ];
  for (const { tierId, action } of events) {
    await note(tx, { memberId, nowMs }, ['members_tier_events', { tier_id: tierId, action }]);
  }
};

export const noteStatus = (
  tx: Transaction,
  target: Target,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<void> =>
  note(tx, target, ['members_status_events', { from_status: from, to_status: to }]);

/** Where a member that the admin interface made came from. */
export const noteCreated = (
  tx: Transaction,
  target: Target,
  { source, medium }: { readonly source: string; readonly medium: string },
): Promise<void> => {
  const columns = { referrer_source: source, referrer_medium: medium, source: 'api' };
  return note(tx, target, ['members_created_events', columns]);
};

/** States of a subscription in which the member pays. */
export const PAYING: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid'];

export const hasPayingSubscription = async (
  from: Queryable,
  memberId: string,
): Promise<boolean> => {
  const row = await db(from)
    .selectFrom('subscriptions')
    .innerJoin('customers', 'customers.customer_id', 'subscriptions.customer_id')
    .select('subscriptions.id')
    .where('customers.member_id', '=', memberId)
    .where('subscriptions.status', 'in', PAYING)
    .executeTakeFirst();
  return row !== undefined;
};

export const redeemGift = async (
  tx: Transaction,
  giftId: string,
  memberId: string,
): Promise<void> => {
  await db(tx)
    .updateTable('gifts')
    .set({ redeemer_member_id: memberId })
    .where('id', '=', giftId)
    .where('redeemer_member_id', 'is distinct from', memberId)
    .execute();
};
