// Changes of many members in a few statements, inside the transaction of the caller: first some are chosen, then all of
// these are changed. A member that nothing changes keeps its row, so that the change log shows what happened alone.
import { sql } from 'kysely';
import { toStoredTime } from '../base/time.ts';
import { type ListQuery, whereOf } from './list-source.ts';
import { MEMBER_LIST } from './members.ts';
import type { Writer } from './store.ts';

export type Selection = Pick<ListQuery, 'filter' | 'search'>;

/** Runs `change` with the chosen members noted; answers how many were chosen. */
export const withChosen = async (
  writer: Writer,
  selection: Selection,
  change: () => Promise<void>,
): Promise<number> => {
  await sql`CREATE TEMP TABLE chosen_members (id TEXT PRIMARY KEY) WITHOUT ROWID`.execute(writer);
  await sql`INSERT INTO chosen_members SELECT members.id FROM members
    ${whereOf(MEMBER_LIST, { ...selection, order: [] }, 'count')}`.execute(writer);
  const { rows } = await sql<{
    total: number;
  }>`SELECT count(*) AS total FROM chosen_members`.execute(writer);
  await change();
  await sql`DROP TABLE chosen_members`.execute(writer);
  return rows[0]?.total ?? 0;
};

const CHOSEN = sql`member_id IN (SELECT id FROM temp.chosen_members)`;

/** Ends their subscriptions of one newsletter, or of all. */
export const unsubscribeChosen = async (
  writer: Writer,
  { newsletterId, nowMs }: { readonly newsletterId: string | null; readonly nowMs: number },
): Promise<void> => {
  const links = sql`FROM members_newsletters WHERE ${CHOSEN}
    ${newsletterId === null ? sql`` : sql`AND newsletter_id = ${newsletterId}`}`;
  await touch(writer, nowMs, sql`SELECT member_id ${links}`);
  await sql`INSERT INTO members_subscribe_events
    (id, member_id, subscribed, source, newsletter_id, created_at)
    SELECT lower(hex(randomblob(12))), member_id, 0, 'admin', newsletter_id, ${toStoredTime(nowMs)}
    FROM (SELECT DISTINCT member_id, newsletter_id ${links})`.execute(writer);
  await sql`DELETE ${links}`.execute(writer);
};

type OfLabel = { readonly labelId: string; readonly nowMs: number };

/** It becomes the last label of those that do not have it. */
export const labelChosen = async (writer: Writer, { labelId, nowMs }: OfLabel): Promise<void> => {
  const others = sql`SELECT id FROM temp.chosen_members WHERE id NOT IN
    (SELECT member_id FROM members_labels WHERE label_id = ${labelId})`;
  await touch(writer, nowMs, others);
  await sql`INSERT INTO members_labels (id, member_id, label_id, sort_order)
    SELECT lower(hex(randomblob(12))), member.id, ${labelId}, (
      SELECT coalesce(max(sort_order) + 1, 0) FROM members_labels WHERE member_id = member.id)
    FROM (${others}) AS member`.execute(writer);
};

export const unlabelChosen = async (writer: Writer, { labelId, nowMs }: OfLabel): Promise<void> => {
  const links = sql`FROM members_labels WHERE ${CHOSEN} AND label_id = ${labelId}`;
  await touch(writer, nowMs, sql`SELECT member_id ${links}`);
  await sql`DELETE ${links}`.execute(writer);
};

export const deleteChosen = async (writer: Writer): Promise<void> => {
  await sql`DELETE FROM members WHERE id IN (SELECT id FROM temp.chosen_members)`.execute(writer);
};

const touch = (writer: Writer, nowMs: number, ids: ReturnType<typeof sql>): Promise<unknown> =>
  sql`UPDATE members SET updated_at = ${toStoredTime(nowMs)} WHERE id IN (${ids})`.execute(writer);
