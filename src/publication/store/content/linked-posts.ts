// Queries of the ordered links of posts and pages to tags, authors and tiers. A link that stays keeps its
// row: the change log then shows only what was attached, detached or moved.
import { sql } from 'kysely';
import { createId } from '../../../base/ids.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

export type PostLinks = {
  readonly tags: RecordRow<'tags'>[];
  readonly authors: RecordRow<'users'>[];
  readonly tiers: RecordRow<'tiers'>[];
};

/** The linked records of each post, in their order (sort_order, then row id). */
export const linksOfPosts = async (
  from: Queryable,
  postIds: readonly string[],
): Promise<Map<string, PostLinks>> => {
  const links = new Map<string, PostLinks>(
    postIds.map((id) => [id, { tags: [], authors: [], tiers: [] }]),
  );
  if (postIds.length === 0) return links;
  const tags = await linkedRecords(from, { table: 'posts_tags', target: 'tags' }, postIds);
  const authors = await linkedRecords(from, { table: 'posts_authors', target: 'users' }, postIds);
  const tiers = await linkedRecords(from, { table: 'posts_tiers', target: 'tiers' }, postIds);
  for (const { link_post_id, ...tag } of tags) links.get(link_post_id)?.tags.push(tag);
  for (const { link_post_id, ...author } of authors) links.get(link_post_id)?.authors.push(author);
  for (const { link_post_id, ...tier } of tiers) links.get(link_post_id)?.tiers.push(tier);
  return links;
};

const LINK_COLUMNS = {
  posts_tags: 'tag_id',
  posts_authors: 'author_id',
  posts_tiers: 'tier_id',
} as const;

type LinkTable = keyof typeof LINK_COLUMNS;

const linkedRecords = async <T extends 'tags' | 'users' | 'tiers'>(
  from: Queryable,
  { table, target }: { readonly table: LinkTable; readonly target: T },
  postIds: readonly string[],
): Promise<(RecordRow<T> & { readonly link_post_id: string })[]> => {
  const { rows } = await sql<RecordRow<T> & { readonly link_post_id: string }>`
    SELECT target.*, link.post_id AS link_post_id
    FROM ${sql.table(table)} AS link
    JOIN ${sql.table(target)} AS target ON target.id = link.${sql.ref(LINK_COLUMNS[table])}
    WHERE link.post_id IN (SELECT value FROM json_each(${JSON.stringify(postIds)}))
    ORDER BY link.sort_order, link.id`.execute(db(from));
  return rows;
};

/** Makes the links of a post exactly `ids`, in that order. */
export const replaceLinks = async (
  tx: Transaction,
  link: { readonly table: LinkTable; readonly postId: string },
  ids: readonly string[],
): Promise<void> => {
  const present = await readLinks(tx, link);
  const kept = new Map<string, LinkRow>();
  const surplus: string[] = [];
  for (const row of present) {
    if (kept.has(row.linked) || !ids.includes(row.linked)) surplus.push(row.id);
    else kept.set(row.linked, row);
  }
  if (surplus.length === 0 && hasOrder(present, ids)) return;
  if (surplus.length > 0) await db(tx).deleteFrom(link.table).where('id', 'in', surplus).execute();
  for (const [index, linked] of ids.entries()) {
    const row = kept.get(linked);
    if (row === undefined) await insertLink(tx, link, { linked, index });
    else if (row.sort_order !== index) {
      await db(tx)
        .updateTable(link.table)
        .set({ sort_order: index })
        .where('id', '=', row.id)
        .execute();
    }
  }
};

type LinkRow = { readonly id: string; readonly linked: string; readonly sort_order: number };

const hasOrder = (present: readonly LinkRow[], ids: readonly string[]): boolean =>
  present.length === ids.length && present.every(({ linked }, index) => linked === ids[index]);

const readLinks = (
  tx: Transaction,
  { table, postId }: { readonly table: LinkTable; readonly postId: string },
): Promise<LinkRow[]> =>
  db(tx)
    .selectFrom(table)
    .select(['id', 'sort_order'])
    .select(({ ref }) => ref(`${table}.${LINK_COLUMNS[table]}` as 'posts_tags.tag_id').as('linked'))
    .where('post_id', '=', postId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();

const insertLink = async (
  tx: Transaction,
  { table, postId }: { readonly table: LinkTable; readonly postId: string },
  { linked, index }: { readonly linked: string; readonly index: number },
): Promise<void> => {
  const row = { id: createId(), post_id: postId, sort_order: index };
  if (table === 'posts_tags') {
    await db(tx)
      .insertInto(table)
      .values({ ...row, tag_id: linked })
      .execute();
  } else if (table === 'posts_authors') {
    await db(tx)
      .insertInto(table)
      .values({ ...row, author_id: linked })
      .execute();
  } else {
    await db(tx)
      .insertInto(table)
      .values({ ...row, tier_id: linked })
      .execute();
  }
};

/** Posts and pages of any status that each of those records is linked to; records without any are left out. */
export const countLinkedPosts = async (
  from: Queryable,
  [table, column]: readonly [table: 'posts_tags' | 'posts_authors', column: 'tag_id' | 'author_id'],
  ids: readonly string[],
): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ readonly id: string; readonly posts: number }>`
    SELECT ${sql.ref(column)} AS id, count(DISTINCT post_id) AS posts FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} IN (${sql.join(ids)}) GROUP BY 1`.execute(db(from));
  return new Map(rows.map(({ id, posts }) => [id, posts]));
};
