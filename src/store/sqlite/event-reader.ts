// Reads whole rows as they are now, for events and the admin shape: what a document's row leaves out
// (drafts, member data) is here too, so nothing of it may reach `output/`.
// The two big editor columns of posts stay behind: no payload shows them.
import type { RecordRow, RecordTable, Snapshot } from '../snapshot.ts';
import type { SqliteConnection } from './driver.ts';

/** The column by which rows of a table are asked for: their own id, or the record they belong to. */
const KEY_COLUMNS: Readonly<Record<RecordTable, string>> = {
  posts: 'id',
  posts_meta: 'post_id',
  posts_tags: 'post_id',
  posts_authors: 'post_id',
  posts_tiers: 'post_id',
  tags: 'id',
  users: 'id',
  tiers: 'id',
  newsletters: 'id',
  labels: 'id',
  members: 'id',
  members_labels: 'member_id',
  members_newsletters: 'member_id',
  members_tiers: 'member_id',
  customers: 'member_id',
  subscriptions: 'customer_id',
  prices: 'processor_price_id',
  processor_products: 'processor_product_id',
  offers: 'id',
  offer_redemptions: 'offer_id',
  gifts: 'redeemer_member_id',
  members_tier_events: 'member_id',
};

const OMITTED = new Set(['mobiledoc', 'lexical']);

export const readRecords = (connection: SqliteConnection): Pick<Snapshot, 'rows'> => ({
  rows: <T extends RecordTable>(table: T, ids: readonly string[] | 'all') => {
    const select = `SELECT ${columnsOf(connection, table)} FROM "${table}"`;
    if (ids === 'all') return connection.prepare(select).all() as RecordRow<T>[];
    return connection
      .prepare(`${select} WHERE "${KEY_COLUMNS[table]}" IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids)) as RecordRow<T>[];
  },
});

const columnsOf = (connection: SqliteConnection, table: RecordTable): string =>
  (connection.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[])
    .filter(({ name }) => !OMITTED.has(name))
    .map(({ name }) => `"${name.replaceAll('"', '""')}"`)
    .join(', ');
