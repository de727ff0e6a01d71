// Reads members for a CSV: one statement, so that all rows are of one commit, and one row at a time, however many there
// are. It has a connection of its own, because a statement that is under way keeps a connection busy.
import { sql } from 'kysely';
import type { StoredTime } from '../../tables/stored-time.ts';
import { db, type Queryable } from '../db.ts';
import { type ListQuery, orderOf, whereOf } from '../list-source.ts';
import { openListReader } from '../sqlite/reading-time.ts';
import type { Store } from '../store.ts';
import { isSubscribed } from './member-links.ts';
import { MEMBER_LIST } from './members.ts';

export type ExportedMember = {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly note: string | null;
  readonly subscribed: number;
  readonly status: string;
  readonly customer_id: string | null;
  readonly created_at: StoredTime;
  /** Names, joined by commas; one that holds a comma stands in quotation marks, its own are doubled. */
  readonly labels: string | null;
  readonly tiers: string | null;
  readonly gift_id: string | null;
};

export type ExportQuery = Pick<ListQuery, 'filter' | 'search' | 'timeMs'> & {
  readonly limit: number | null;
};

/** Throws LIST_TOO_SLOW. */
export function* readMembersToExport(
  store: Pick<Store, 'path'> & Queryable,
  query: ExportQuery,
): Generator<ExportedMember> {
  const { sql: text, parameters } = statement(query).compile(db(store));
  const connection = openListReader(store.path);
  try {
    yield* connection.prepare(text).iterate(...parameters) as Iterable<ExportedMember>;
  } finally {
    connection.close();
  }
}

const statement = ({ limit, ...query }: ExportQuery) => {
  const list = { ...query, order: [] };
  return sql`SELECT members.id, members.email, members.name, members.note, members.status,
    members.created_at,
    ${isSubscribed('members.id')} AS subscribed,
    (SELECT customer_id FROM customers WHERE member_id = members.id
      ORDER BY created_at, id LIMIT 1) AS customer_id,
    ${namesOf('labels', 'label_id')} AS labels,
    ${namesOf('tiers', 'tier_id')} AS tiers,
    CASE WHEN members.status = 'gift' THEN (SELECT id FROM gifts
      WHERE redeemer_member_id = members.id AND gifts.status = 'redeemed'
      ORDER BY redeemed_at DESC LIMIT 1) END AS gift_id
    FROM members ${chosenOf(list)} ORDER BY ${orderOf(MEMBER_LIST, [])}
    LIMIT ${limit ?? -1}`;
};

/** They are chosen first: the time of writing the file is not that of the filter. */
const chosenOf = (list: ListQuery) =>
  list.filter === null && list.search === null
    ? sql``
    : sql`WHERE members.id IN (SELECT members.id FROM members
      ${whereOf(MEMBER_LIST, list, 'count')})`;

const namesOf = (table: 'labels' | 'tiers', key: string) =>
  sql`(SELECT group_concat(name, ',') FROM (
    SELECT CASE WHEN instr(named.name, ',') OR named.name LIKE '"%'
      THEN '"' || replace(named.name, '"', '""') || '"' ELSE named.name END AS name FROM ${sql.table(`members_${table}`)} AS link
    JOIN ${sql.table(table)} AS named ON named.id = ${sql.ref(`link.${key}`)}
    WHERE link.member_id = members.id ORDER BY link.sort_order, link.id))`;
