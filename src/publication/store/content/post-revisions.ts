// Revisions of posts and pages: what of them was saved before. The newest ones of each post are kept.
import { sql } from 'kysely';
import type { TableRow } from '../../tables/tables.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { rowsOf } from '../table-rows.ts';

export type RevisionRow = TableRow<'post_revisions'>;

/** `by`: the name of the key that saved it. */
export type NamedRevision<Row = RevisionRow> = Row & { readonly by: string | null };

const KEPT_OF_POST = 25;

const { insert } = rowsOf('post_revisions');

const named = (from: Queryable) =>
  db(from)
    .selectFrom('post_revisions as r')
    .leftJoin('api_keys', 'api_keys.id', 'r.key_id')
    .orderBy('r.created_at', 'desc');

/** Without bodies, the newest first. */
export const listRevisions = (from: Queryable, postId: string) =>
  named(from)
    .select(['r.id', 'r.post_id', 'r.title', 'r.created_at', 'api_keys.name as by'])
    .where('r.post_id', '=', postId)
    .execute();

export const findRevision = (from: Queryable, id: string): Promise<NamedRevision | undefined> =>
  named(from)
    .selectAll('r')
    .select('api_keys.name as by')
    .where('r.id', '=', id)
    .executeTakeFirst();

export const findNewestRevision = (
  from: Queryable,
  postId: string,
): Promise<RevisionRow | undefined> =>
  db(from)
    .selectFrom('post_revisions')
    .selectAll()
    .where('post_id', '=', postId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Drops the oldest one where there are too many. */
export const addRevision = async (tx: Transaction, row: RevisionRow): Promise<void> => {
  await insert(tx, row);
  await sql`DELETE FROM post_revisions WHERE id IN (
    SELECT id FROM post_revisions WHERE post_id = ${row.post_id}
    ORDER BY created_at DESC LIMIT -1 OFFSET ${KEPT_OF_POST})`.execute(db(tx));
};
