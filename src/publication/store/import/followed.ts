// What was last taken of the source that is followed: ids and hashes of its rows in blocks, and the rows that could
// not be taken as they are. Changed in the transaction that writes the rows themselves, so both are always of one state.
import { type Insertable, sql } from 'kysely';
import * as z from 'zod';
import { parseStored } from '../../../base/stored-json.ts';
import type { FollowedRow, SourceProblem } from '../../snapshot/source-problem.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import type { Difference, FollowedBlock } from './difference.ts';

const BLOCKS_READ = 50;

/** The blocks of a table of the source, in the order of the ids. */
export async function* readBlocks(from: Queryable, name: string): AsyncGenerator<FollowedBlock> {
  let after: string | null = null;
  for (;;) {
    const blocks = await db(from)
      .selectFrom('followed_blocks')
      .select(['upto', 'rows'])
      .where('name', '=', name)
      .where('upto', after === null ? '>=' : '>', after ?? '')
      .orderBy('upto')
      .limit(BLOCKS_READ)
      .execute();
    yield* blocks;
    const last = blocks.at(-1);
    if (last === undefined || blocks.length < BLOCKS_READ) return;
    after = last.upto;
  }
}

/** Those of the ids that were rows of the source when it was last looked at. */
export const findFollowed = async (
  from: Queryable,
  name: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const found = new Set<string>();
  let upto = '';
  let rows: ReadonlySet<string> = new Set();
  for (const id of ids.toSorted()) {
    if (id > upto || rows.size === 0) {
      const block = await db(from)
        .selectFrom('followed_blocks')
        .select(['upto', 'rows'])
        .where('name', '=', name)
        .where('upto', '>=', id)
        .orderBy('upto')
        .limit(1)
        .executeTakeFirst();
      if (block === undefined) break;
      upto = block.upto;
      rows = new Set(readBlock(block));
    }
    if (rows.has(id)) found.add(id);
  }
  return found;
};

/** Alternating ids and hashes. Throws DATABASE_ALTERED. */
export const readBlock = ({ rows }: Pick<FollowedBlock, 'rows'>): readonly string[] =>
  parseStored(z.array(z.string()), rows, 'What is known of a followed table');

/** Rows that the publication has under another id. */
export const listFollowedTargets = async (
  from: Queryable,
): Promise<(FollowedRow & { readonly target: string })[]> => {
  const rows = await db(from)
    .selectFrom('followed_rows')
    .select(['name', 'id', 'target'])
    .where('target', 'is not', null)
    .execute();
  return rows.map((row) => ({ ...row, target: row.target ?? row.id }));
};

/** A statement takes some ten thousand values at most. */
const listed = (ids: readonly string[]) =>
  sql<string>`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Rows of the source that stand for rows of the publication under these ids. */
export const findStanding = async (
  from: Queryable,
  name: string,
  targets: readonly string[],
): Promise<{ readonly id: string; readonly target: string }[]> => {
  if (targets.length === 0) return [];
  const rows = await db(from)
    .selectFrom('followed_rows')
    .select(['id', 'target'])
    .where('name', '=', name)
    .where('target', 'in', listed(targets))
    .execute();
  return rows.map(({ id, target }) => ({ id, target: target ?? id }));
};

/** Rows that are tried again when others have changed. */
export const listWaitingRows = (from: Queryable): Promise<FollowedRow[]> =>
  db(from)
    .selectFrom('followed_rows')
    .select(['name', 'id'])
    .where('is_waiting', '=', 1)
    .orderBy('name')
    .orderBy('id')
    .execute();

type Kept = {
  readonly id: string;
  readonly target: string | null;
  readonly isWaiting: boolean;
  readonly problem: SourceProblem | null;
};

type Noting = {
  readonly ids: readonly string[];
  readonly kept: readonly Kept[];
  readonly nowMs: number;
};

/**
 * Notes how rows stand that were taken, or could not be; those without anything to note are as they are. Returns how
 * many problems are new or gone.
 */
export const noteFollowedRows = async (
  tx: Transaction,
  name: string,
  { ids, kept, nowMs }: Noting,
): Promise<number> => {
  const before = await db(tx)
    .deleteFrom('followed_rows')
    .where('name', '=', name)
    .where('id', 'in', listed(ids))
    .returning(['id', 'problem', 'since'])
    .execute();
  const known = new Map(
    before.filter(({ problem }) => problem !== null).map((row) => [row.id, row]),
  );
  let named = known.size;
  for (const { id, target, isWaiting, ...noted } of kept) {
    const problem = noted.problem === null ? null : JSON.stringify(noted.problem);
    const earlier = known.get(id);
    if (problem !== null) named += earlier?.problem === problem ? -1 : 1;
    const since = problem === null ? null : (earlier?.since ?? nowMs);
    const row = { target, is_waiting: Number(isWaiting), problem, since };
    await putRow(tx, { name, id }, row);
  }
  return named;
};

const NOTHING = { target: null, is_waiting: 0, problem: null, since: null };

/** What else stands of the row stays. */
const putRow = async (
  tx: Transaction,
  { name, id }: FollowedRow,
  noted: Partial<Insertable<Tables['followed_rows']>>,
): Promise<void> => {
  await db(tx)
    .insertInto('followed_rows')
    .values({ ...NOTHING, ...noted, name, id })
    .onConflict((conflict) => conflict.columns(['name', 'id']).doUpdateSet(noted))
    .execute();
};

/** Nothing that an import could not read is named any more. Returns how many rows were. */
export const forgetImportProblems = async (tx: Transaction): Promise<number> => {
  const { numUpdatedRows } = await db(tx)
    .updateTable('followed_rows')
    .set({ problem: null, since: null })
    .where(sql<boolean>`json_extract(problem, '$.isOfImport')`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Names rows that an import could not read, beside those named before. */
export const noteImportProblems = async (
  tx: Transaction,
  name: string,
  problems: ReadonlyMap<string, SourceProblem>,
  since: number,
): Promise<void> => {
  for (const [id, problem] of problems) {
    const noted = { problem: JSON.stringify({ ...problem, isOfImport: true }), since };
    await putRow(tx, { name, id }, noted);
  }
};

/** Has the source's rows tried again that rows here, by their ids, stand for: what they belong to was taken away here. */
export const awaitRows = async (
  tx: Transaction,
  name: string,
  ids: readonly string[],
): Promise<void> => {
  const standing = await findStanding(tx, name, ids);
  const matched = new Set(standing.map(({ target }) => target));
  const own = ids.filter((id) => !matched.has(id));
  for (const id of [...own, ...standing.map((row) => row.id)])
    await putRow(tx, { name, id }, { is_waiting: 1 });
};

/** Replaces the blocks that differ. */
export const writeBlocks = async (
  tx: Transaction,
  name: string,
  difference: Difference,
): Promise<void> => {
  for (const dropped of difference.ids('dropped', name)) {
    await db(tx)
      .deleteFrom('followed_blocks')
      .where('name', '=', name)
      .where('upto', 'in', dropped)
      .execute();
  }
  for (const blocks of difference.blocks(name)) {
    await db(tx)
      .insertInto('followed_blocks')
      .values(blocks.map((block) => ({ name, ...block })))
      .execute();
  }
};
