// Changes of some hundred members in a few statements, inside the transaction of the caller. A member that nothing
// changes keeps its row, so that the change log shows what happened alone.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { PrepressError } from '../../../base/errors.ts';
import { deriveId } from '../../../base/ids.ts';
import { mailboxOf } from '../../../base/text/email.ts';
import { toStoredTime } from '../../../base/time.ts';
import type { LeftMembersTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { type ListQuery, whereOf } from '../list-source.ts';
import { findLabelById } from './labels.ts';
import { isSubscribed } from './member-links.ts';
import { MEMBER_LIST } from './members.ts';

export type Selection = Pick<ListQuery, 'filter' | 'search' | 'timeMs'>;

/** Ids of the members that it chooses. Throws LIST_TOO_SLOW. */
export const listChosen = async (from: Queryable, selection: Selection): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`SELECT members.id FROM members
    ${whereOf(MEMBER_LIST, { ...selection, order: [] }, 'count')}`.execute(db(from));
  return rows.map(({ id }) => id);
};

/** Ids of those who get mail and are subscribed. */
export const listSubscribed = async (from: Queryable): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`SELECT id FROM members
    WHERE email_disabled = 0 AND ${isSubscribed('members.id')}`.execute(db(from));
  return rows.map(({ id }) => id);
};

type Ids = readonly string[];

const listOf = (ids: Ids): RawBuilder<unknown> =>
  sql`SELECT value FROM json_each(${JSON.stringify(ids)})`;

/**
 * Subscribes those who still get mail and did not leave the others since `nowMs` to one new newsletter more. Who left it
 * already stays away.
 */
export const subscribeChosen = async (
  tx: Transaction,
  ids: Ids,
  { newsletterId, nowMs }: { readonly newsletterId: string; readonly nowMs: number },
): Promise<void> => {
  const { rows } = await sql<{ id: string }>`SELECT id FROM members
    WHERE id IN (${listOf(ids)}) AND email_disabled = 0 AND ${staysSince(nowMs)} AND NOT EXISTS
      (SELECT 1 FROM members_newsletters AS own
        WHERE own.member_id = members.id AND own.newsletter_id = ${newsletterId}) AND NOT EXISTS
      (SELECT 1 FROM members_subscribe_events AS event
        WHERE event.member_id = members.id AND event.newsletter_id = ${newsletterId})`.execute(
    db(tx),
  );
  const chosen = listOf(rows.map(({ id }) => id));
  await sql`INSERT INTO members_newsletters (id, member_id, newsletter_id)
    SELECT lower(hex(randomblob(12))), value, ${newsletterId} FROM (${chosen})`.execute(db(tx));
  await sql`INSERT INTO members_subscribe_events
    (id, member_id, subscribed, source, newsletter_id, created_at)
    SELECT lower(hex(randomblob(12))), value, 1, 'admin', ${newsletterId}, ${toStoredTime(nowMs)}
    FROM (${chosen})`.execute(db(tx));
};

/** Of those who were subscribed then: archiving their newsletters does not take the new one from them. */
const staysSince = (nowMs: number) => sql`(${isSubscribed('members.id')} OR EXISTS
  (SELECT 1 FROM members_newsletters AS link WHERE link.member_id = members.id) AND NOT EXISTS
  (SELECT 1 FROM members_subscribe_events AS event WHERE event.member_id = members.id
    AND event.subscribed = 0 AND event.created_at >= ${toStoredTime(nowMs)}))`;

/** Ends their subscriptions of one newsletter, or of all, but for those that were made since. */
export const unsubscribeChosen = async (
  tx: Transaction,
  ids: Ids,
  { newsletterId, nowMs }: { readonly newsletterId: string | null; readonly nowMs: number },
): Promise<void> => {
  const links = sql`FROM members_newsletters WHERE member_id IN (${listOf(ids)})
    ${newsletterId === null ? sql`` : sql`AND newsletter_id = ${newsletterId}`}
    AND NOT EXISTS (SELECT 1 FROM members_subscribe_events AS event
      WHERE event.member_id = members_newsletters.member_id AND event.subscribed = 1
        AND event.newsletter_id = members_newsletters.newsletter_id
        AND event.created_at > ${toStoredTime(nowMs)})`;
  await touch(tx, nowMs, sql`SELECT member_id ${links}`);
  await sql`INSERT INTO members_subscribe_events
    (id, member_id, subscribed, source, newsletter_id, created_at)
    SELECT lower(hex(randomblob(12))), member_id, 0, 'admin', newsletter_id, ${toStoredTime(nowMs)}
    FROM (SELECT DISTINCT member_id, newsletter_id ${links})`.execute(db(tx));
  await sql`DELETE ${links}`.execute(db(tx));
};

type OfLabel = { readonly labelId: string; readonly nowMs: number };

/** It becomes the last label of those that do not have it. */
export const labelChosen = async (
  tx: Transaction,
  ids: Ids,
  { labelId, labelName, nowMs }: OfLabel & { readonly labelName?: string | undefined },
): Promise<void> => {
  if ((await findLabelById(tx, labelId)) === undefined)
    throw new PrepressError('NOT_FOUND', `the label "${labelName ?? labelId}" was deleted.`);
  const others = withoutLabel(ids, labelId);
  await touch(tx, nowMs, others);
  await sql`INSERT INTO members_labels (id, member_id, label_id, sort_order)
    SELECT lower(hex(randomblob(12))), member.id, ${labelId}, (
      SELECT coalesce(max(sort_order) + 1, 0) FROM members_labels WHERE member_id = member.id)
    FROM (${others}) AS member`.execute(db(tx));
};

/** Those who have the label are not listed: there may be many more than the given ones. */
export const withoutLabel = (ids: Ids, labelId: string): RawBuilder<unknown> =>
  sql`SELECT id FROM members WHERE id IN (${listOf(ids)}) AND NOT EXISTS
    (SELECT 1 FROM members_labels AS own
      WHERE own.member_id = members.id AND own.label_id = ${labelId})`;

export const unlabelChosen = async (
  tx: Transaction,
  ids: Ids,
  { labelId, nowMs }: OfLabel,
): Promise<void> => {
  const links = sql`FROM members_labels WHERE member_id IN (${listOf(ids)}) AND label_id = ${labelId}`;
  await touch(tx, nowMs, sql`SELECT member_id ${links}`);
  await sql`DELETE ${links}`.execute(db(tx));
};

/** What they have left, one by one or as a whole. */
const findLeft = async (tx: Transaction, ids: Ids): Promise<(Left & { email: string })[]> => {
  const { rows } = await sql<Left & { email: string }>`SELECT event.member_id, member.email,
      coalesce(event.newsletter_id, '') AS newsletter_id, max(event.created_at) AS left_at
    FROM members_subscribe_events AS event JOIN members AS member ON member.id = event.member_id
    WHERE event.member_id IN (${listOf(ids)}) AND event.subscribed = 0 AND NOT EXISTS
      (SELECT 1 FROM members_newsletters AS link
        WHERE link.member_id = event.member_id AND link.newsletter_id = event.newsletter_id)
      AND NOT (event.newsletter_id IS NULL AND ${isSubscribed('member.id')})
    GROUP BY 1, 2, 3`.execute(db(tx));
  return rows;
};

const ofId = ({ email: _email, ...row }: Left & { email: string }): Left => row;
const ofAddress = ({ email, ...row }: Left & { email: string }): Left => ({
  ...row,
  member_id: leftKeyOf(email),
});

/** Before a member gets another address: what it has left stays left for the one before. */
export const keepLeftOfAddress = async (tx: Transaction, id: string): Promise<void> =>
  keepLeft(tx, (await findLeft(tx, [id])).map(ofAddress));

/** Deletes them; which newsletters they had left is kept, for a source that brings them back, under another id, too. */
export const deleteChosen = async (tx: Transaction, ids: Ids): Promise<void> => {
  const rows = await findLeft(tx, ids);
  const left = new Map(
    rows
      .flatMap((row): Left[] => [ofId(row), ofAddress(row)])
      .map((row) => [`${row.member_id} ${row.newsletter_id}`, row]),
  );
  await keepLeft(tx, [...left.values()]);
  await sql`DELETE FROM members WHERE id IN (${listOf(ids)})`.execute(db(tx));
};

const LINKED = [
  'members_labels',
  'members_newsletters',
  'members_tiers',
  'members_tier_events',
  'members_created_events',
] as const;

/** What stands of members that are not there, since a program deleted them without what belongs to them. */
export const dropLinks = async (tx: Transaction, ids: Ids): Promise<void> => {
  for (const table of LINKED)
    await sql`DELETE FROM ${sql.table(table)} WHERE member_id IN (${listOf(ids)})`.execute(db(tx));
};

type Left = Selectable<LeftMembersTable>;

/** Stands in `left_members` for the id of any member with the address. */
export const leftKeyOf = (email: string): string => deriveId('left_members', mailboxOf(email));

/** Rows of one statement: databases take some ten thousand values. */
const LEFT_AT_ONCE = 1_000;

const keepLeft = async (tx: Transaction, left: readonly Left[]): Promise<void> => {
  for (let at = 0; at < left.length; at += LEFT_AT_ONCE)
    await db(tx)
      .insertInto('left_members')
      .values(left.slice(at, at + LEFT_AT_ONCE))
      .onConflict((on) =>
        on
          .columns(['member_id', 'newsletter_id'])
          .doUpdateSet((row) => ({ left_at: row.ref('excluded.left_at') })),
      )
      .execute();
};

const touch = (tx: Transaction, nowMs: number, ids: ReturnType<typeof sql>): Promise<unknown> =>
  sql`UPDATE members SET updated_at = ${toStoredTime(nowMs)} WHERE id IN (${ids})`.execute(db(tx));
