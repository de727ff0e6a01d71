// Frees slugs that rows of the source need and that rows have here which it does not show, such as posts that were withdrawn.
// Such a post becomes a draft with another slug; where readers have it, a draft of the source waits. Of a source that shows no
// tag or author without posts, one that no post has here is not there.
import type { Difference } from '../../store/import/difference.ts';
import { findFollowed, findStanding } from '../../store/import/followed.ts';
import {
  deleteRows,
  findRows,
  type Row,
  type TableName,
  updateRow,
} from '../../store/import/import-rows.ts';
import type { RowKeys } from '../../store/import/import-stage.ts';
import type { TableFacts } from '../intake/ghost-tables.ts';
import type { ApplyContext } from './apply-context.ts';

type Looked = Pick<ApplyContext, 'tx' | 'stage' | 'report'> & {
  readonly difference: Difference;
  /** See SourceState. */
  readonly hides?: ((table: string) => boolean) | undefined;
};

type Links = { readonly table: TableName; readonly column: string };

/** Where posts are linked to rows of a table. */
const LINKS: Partial<Record<TableName, Links>> = {
  tags: { table: 'posts_tags', column: 'tag_id' },
  users: { table: 'posts_authors', column: 'author_id' },
};

export const freeSlugs = async (looked: Looked, facts: TableFacts): Promise<void> => {
  const links = looked.hides === undefined ? undefined : LINKS[facts.into];
  if (facts.into !== 'posts' && links === undefined) return;
  for (const rowKeys of looked.stage.rowKeys(facts.from)) {
    const holders = await findHolders(looked, facts, rowKeys);
    if (links === undefined) await makeDrafts(looked, withoutDrafted(looked, facts, holders));
    else await removeUnused(looked, { facts, links, holders });
  }
};

/** What readers have is not withdrawn for what the source shows nobody yet. */
const withoutDrafted = (
  { stage }: Looked,
  facts: TableFacts,
  posts: readonly Row[],
): readonly Row[] => {
  if (!posts.some(isPublished)) return posts;
  const claims = new Set<string>();
  for (const rows of stage.rows(facts.from))
    for (const { row } of rows) {
      const post = JSON.parse(row) as Row;
      if (isPublished(post)) claims.add(slugOf(facts, post));
    }
  return posts.filter((post) => !isPublished(post) || claims.has(slugOf(facts, post)));
};

const isPublished = ({ status }: Row): boolean => status === 'published';

/** As the stage has it: what is unique together. */
const slugOf = ({ unique: [columns = []] = [] }: TableFacts, row: Row): string =>
  JSON.stringify(columns.map((column) => row[column]));

const makeDrafts = async ({ tx, report }: Looked, posts: readonly Row[]): Promise<void> => {
  for (const { id, slug } of posts) {
    const values = { status: 'draft', slug: `${slug}-${String(id).slice(-6)}` };
    await updateRow(tx, { table: 'posts', id: String(id), values });
    report.remark('slugNeeded', values.slug);
  }
};

/** Rows that have what staged ones claim, and that the source does not show. */
const findHolders = async (
  { tx, stage, difference }: Looked,
  facts: TableFacts,
  rowKeys: readonly RowKeys[],
): Promise<Row[]> => {
  const { from, into } = facts;
  const claimed = new Set(rowKeys.flatMap(({ keys: [key] }) => key ?? []));
  const values = [...claimed].map((key) => (JSON.parse(key) as string[])[0] ?? null);
  const rows = (await findRows(tx, { table: into, by: 'slug', values })).filter((row) =>
    claimed.has(slugOf(facts, row)),
  );
  const ids = rows.map(({ id }) => String(id));
  const shown = await findFollowed(tx, from, ids);
  for (const kind of ['gone', 'unseen'] as const)
    for (const id of difference.has(kind, from, ids)) shown.delete(id);
  for (const id of stage.staged(from, ids)) shown.add(id);
  return rows.filter(({ id }) => !shown.has(String(id)));
};

type Unused = {
  readonly facts: TableFacts;
  readonly links: Links;
  readonly holders: readonly Row[];
};

const removeUnused = async ({ tx }: Looked, { facts, links, holders }: Unused): Promise<void> => {
  const { table, column } = links;
  const ids = holders.filter(({ role }) => role !== 'Owner').map(({ id }) => String(id));
  const found = await findRows(tx, { table, columns: [column], by: column, values: ids });
  const used = new Set(found.map((row) => row[column]));
  for (const { target } of await findStanding(tx, facts.from, ids)) used.add(target);
  await deleteRows(
    tx,
    facts.into,
    ids.filter((id) => !used.has(id)),
  );
};
