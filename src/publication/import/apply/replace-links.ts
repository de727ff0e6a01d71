// Makes the links of the file's posts, members and tiers, and the rows of posts_meta, exactly those of the file: what it
// no longer has is removed, and a post that is left without an author is given to the owner.

import { deriveId } from '../../../base/ids.ts';
import { findOwner } from '../../store/content/users.ts';
import { deleteRows, findRows, type Row, type TableName } from '../../store/import/import-rows.ts';
import { factsFor, sourceOf, type TableFacts } from '../intake/ghost-tables.ts';
import type { ApplyContext } from './apply-context.ts';
import { writeRows } from './apply-table.ts';

/**
 * Runs after the rows of the link table itself were applied. `ofMatched`: only of owners that were found here under other
 * ids, whose links are all staged.
 */
export const replaceLinks = async (
  context: ApplyContext,
  facts: TableFacts,
  { ofMatched = false } = {},
): Promise<void> => {
  const { stage, matched } = context;
  const { linksOf } = facts;
  if (facts.into === 'posts_meta') return removeMeta(context, facts, { ofMatched });
  if (linksOf === undefined || (ofMatched && matched.size === 0)) return;
  const isAuthors = facts.into === 'posts_authors';
  const hasAll = ofMatched || stage.declares(facts.from);
  if (!hasAll && !isAuthors) return;
  for (const owners of ownersOf(context, linksOf.owner, ofMatched)) {
    const links = await findLinks(context, facts, owners);
    if (isAuthors) await addAuthor(context, facts, { owners, links });
    if (hasAll) await removeExtra(context, facts, links);
  }
};

/** Of posts that the source has, and has no such row for. */
const removeMeta = async (
  context: ApplyContext,
  facts: TableFacts,
  { ofMatched }: { readonly ofMatched: boolean },
): Promise<void> => {
  const { tx, stage } = context;
  if (ofMatched || !stage.declares(facts.from)) return;
  for (const posts of ownersOf(context, 'posts', false)) {
    const described = stage.flagged('described', 'posts', posts);
    // Rows that keepEmailOnly makes stay.
    const mailed = stage.flagged('mailed', 'posts', posts);
    const values = posts.filter((id) => !described.has(id) && !mailed.has(id));
    const search = { table: facts.into, columns: ['id'], by: 'post_id', values };
    await removeExtra(context, facts, await findRows(tx, search));
  }
};

const removeExtra = async (
  context: ApplyContext,
  facts: TableFacts,
  rows: readonly Row[],
): Promise<void> => {
  const extra = withoutMarked(context, facts, rows).map(({ id }) => String(id));
  await deleteRows(context.tx, facts.into, extra);
  if (extra.length > 0) context.report.count(facts.from, 'removed', extra.length);
};

function* ownersOf(
  { stage, aliases, matched }: ApplyContext,
  table: TableName,
  ofMatched: boolean,
): Generator<string[]> {
  const from = sourceOf(table);
  for (const rowKeys of stage.rowKeys(from)) {
    const ids = rowKeys.map(({ id }) => id);
    const rejected = stage.flagged('rejected', from, ids);
    yield ids
      .filter((id) => !rejected.has(id) && (!ofMatched || matched.has(id)))
      .map((id) => aliases.resolve(table, id));
  }
}

const findLinks = (
  { tx }: ApplyContext,
  { into, linksOf }: TableFacts,
  owners: readonly string[],
): Promise<Row[]> => {
  const by = linksOf?.column ?? 'id';
  return findRows(tx, { table: into, columns: ['id', by], by, values: owners });
};

/** Rows that the file neither has nor tried to have. */
const withoutMarked = (
  { stage }: ApplyContext,
  { from }: TableFacts,
  links: readonly Row[],
): Row[] => {
  const ids = links.map(({ id }) => String(id));
  const kept = stage.flagged('kept', from, ids);
  const rejected = stage.flagged('rejected', from, ids);
  return links.filter(({ id }) => !kept.has(String(id)) && !rejected.has(String(id)));
};

/** The owner that the file names, if its user is there; else the publication's own, or null when it has no user. */
export const findAuthorForAll = async ({
  tx,
  roles,
  aliases,
}: ApplyContext): Promise<string | null> => {
  const named = [...roles].filter(([, role]) => role === 'Owner');
  const values = named.map(([id]) => aliases.resolve('users', id));
  const found = await findRows(tx, { table: 'users', columns: ['id'], by: 'id', values });
  const present = new Set(found.map(({ id }) => id));
  return values.find((id) => present.has(id)) ?? (await findOwner(tx))?.id ?? null;
};

type Authorless = {
  readonly owners: readonly string[];
  readonly links: readonly Row[];
};

const addAuthor = async (
  context: ApplyContext,
  facts: TableFacts,
  { owners, links }: Authorless,
): Promise<void> => {
  const extra = context.stage.declares(facts.from)
    ? new Set(withoutMarked(context, facts, links).map(({ id }) => id))
    : new Set();
  const authored = new Set(links.filter(({ id }) => !extra.has(id)).map(({ post_id }) => post_id));
  const alone = owners.filter((id) => !authored.has(id));
  const ownerId = alone.length === 0 ? null : await findOrMakeAuthor(context);
  if (ownerId === null) return;
  for (const id of alone) context.report.remark('withoutAuthor', `posts ${id}`);
  await writeRows(
    context,
    facts,
    alone.map((id) => authorLink(id, ownerId)),
  );
};

/** Null while a source without users is followed: it may have some later. */
const findOrMakeAuthor = async (context: ApplyContext): Promise<string | null> => {
  const found = await findAuthorForAll(context);
  const facts = factsFor('users');
  if (found !== null || context.isFollowing === true || facts === undefined) return found;
  await writeRows(context, facts, [MADE_OWNER]);
  return MADE_OWNER.id;
};

/** Has the id of the owner that every Ghost begins with: an import that knows that user fills in the row. */
const MADE_OWNER = { id: '1'.padStart(24, '0'), name: 'Owner', slug: 'owner' };

/** The link that a post without an author is given. */
export const authorLink = (postId: string, ownerId: string): Row => ({
  id: deriveId('posts_authors', postId),
  post_id: postId,
  author_id: ownerId,
  sort_order: 0,
});
