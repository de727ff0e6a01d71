// Applies what a look at a source found: rows that went are taken away, staged rows are written, and what was taken
// is noted, all in the caller's transaction. Of a row that cannot be read the last version that could stays, unless the
// source may have taken it back. A row that refers to an absent one is not there. Both are tried again when rows that
// they have to do with have changed.

import { groupBy } from '../../../base/group-by.ts';
import type { Difference } from '../../store/import/difference.ts';
import {
  awaitRows,
  findFollowed,
  findStanding,
  listFollowedTargets,
  noteFollowedRows,
  writeBlocks,
} from '../../store/import/followed.ts';
import {
  deferReferences,
  deleteRows,
  findRows,
  type TableName,
  updateRow,
} from '../../store/import/import-rows.ts';
import { deleteChosen } from '../../store/members/member-bulk.ts';
import type { Queryable, Transaction } from '../../store/store.ts';
import { factsFor, GHOST_TABLES, type TableFacts } from '../intake/ghost-tables.ts';
import { findDoubtful, findProblems, type RowNote, readNotes } from '../intake/row-notes.ts';
import { isShownTable } from '../intake/shown-columns.ts';
import type { Aliases } from './aliases.ts';
import type { ApplyContext } from './apply-context.ts';
import { applyTable } from './apply-table.ts';
import { applyDefaultAuthors, authorOwners, removeDefaultAuthors } from './default-authors.ts';
import { keepEmailOnly } from './email-only.ts';
import { freeSlugs } from './free-slugs.ts';
import { keepConsent } from './keep-consent.ts';
import { keepLeft } from './keep-left.ts';
import { replaceLinks } from './replace-links.ts';

type Applying = ApplyContext & {
  readonly difference: Difference;
  /** See SourceState. */
  readonly hides?: ((table: string) => boolean) | undefined;
  /** Every row of the source is staged. */
  readonly isAll: boolean;
};

/**
 * Has references resolved to the ids that earlier looks found, but for rows that an import has brought since under their own.
 * Call it before rows are staged.
 */
export const loadTargets = async (from: Queryable, aliases: Aliases): Promise<void> => {
  const byTable = groupBy(await listFollowedTargets(from), ({ name }) => name);
  for (const [name, rows] of byTable) {
    const facts = factsFor(name);
    if (facts === undefined) continue;
    const values = rows.map(({ id }) => id);
    const found = await findRows(from, { table: facts.into, columns: ['id'], by: 'id', values });
    const own = new Set(found.map(({ id }) => id));
    for (const { id, target } of rows) if (!own.has(id)) aliases.addTarget(facts.into, id, target);
  }
};

/** Returns how many rows are named now, or no longer. */
export const applyDifference = async (applying: Applying): Promise<number> => {
  const { tx, difference, isAll } = applying;
  const context: Applying = {
    ...applying,
    findOthers: (table, ids) => findOthers(applying, table, ids),
  };
  await deferReferences(tx);
  const owners = await authorOwners(context, difference);
  await removeGone(context);
  for (const id of await removeDefaultAuthors(context)) owners.add(id);
  for (const facts of GHOST_TABLES) {
    await freeSlugs(context, facts);
    await applyTable(context, facts);
    await replaceLinks(context, facts, { ofMatched: !isAll });
    await removeRejected(context, facts);
    if (facts.into !== 'members') continue;
    await keepConsent(context);
    await keepLeft(context, 'no');
  }
  await keepEmailOnly(context);
  if (!isAll) await applyDefaultAuthors(context, difference, owners);
  let named = 0;
  for (const table of difference.tables()) named += await noteTaken(context, table);
  return named;
};

/** Under their own ids, or under those of rows that they were found to be, but for those of `besides`. */
const findOthers = async (
  { tx, difference }: Applying,
  table: string,
  ids: readonly string[],
  besides: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlySet<string>> => {
  const found = await findFollowed(tx, table, ids);
  const standing = await findStanding(tx, table, ids);
  const gone = difference.has(
    'gone',
    table,
    standing.map(({ id }) => id),
  );
  for (const { id, target } of standing) if (!gone.has(id) && !besides.has(id)) found.add(target);
  return found;
};

/** By the id in the source: rows here that stand for these of the source and for no other. */
const findOwn = async (
  context: Applying,
  { from, into }: TableFacts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const own = new Map(ids.map((id) => [id, context.aliases.resolve(into, id)]));
  const matched = [...own].flatMap(([id, target]) => (id === target ? [] : [target]));
  const shared = await findOthers(context, from, matched, own);
  return new Map([...own].filter(([id, target]) => id === target || !shared.has(target)));
};

/** What refers first, so that only rows are left to be missed which the source still has. */
const removeGone = async (context: Applying): Promise<void> => {
  const { difference, report } = context;
  for (const facts of GHOST_TABLES.toReversed()) {
    for (const ids of difference.ids('gone', facts.from)) {
      const own = [...(await findOwn(context, facts, ids)).values()];
      if (facts.into === 'posts' && context.hides?.(facts.from) === true) {
        await hidePosts(context.tx, own);
      } else await removeRows(context, facts, own);
      report.count(facts.from, 'removed', ids.length);
    }
    await removeRejected(context, facts);
  }
};

/** Nobody knows whether they are drafts now or were deleted; what is behind their paywalls is known only here. */
export const hidePosts = async (tx: Transaction, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await updateRow(tx, { table: 'posts', id, values: { status: 'draft' } });
  }
};

/** Without a note of what is wrong, a row that cannot be taken is not there. */
const removeRejected = async (context: Applying, facts: TableFacts): Promise<void> => {
  const { stage, difference } = context;
  for (const ids of difference.ids('changed', facts.from)) {
    const rejected = [...stage.flagged('rejected', facts.from, ids)];
    const own = await findOwn(context, facts, rejected);
    const notes = readNotes(stage, facts, [...own.keys()]);
    await removeRows(
      context,
      facts,
      [...own].flatMap(([id, target]) => (notes.has(id) ? [] : [target])),
    );
    await hideDoubtful(context, facts, notes);
  }
};

/** What may have been taken back, or gated more, is shown no more until its row can be read. */
const hideDoubtful = async (
  context: Applying,
  facts: TableFacts,
  notes: ReadonlyMap<string, RowNote>,
): Promise<void> => {
  if (!isShownTable(facts)) return;
  const doubtful = await findDoubtful(context, facts, notes);
  if (facts.into === 'posts') await hidePosts(context.tx, doubtful);
  else await removeRows(context, facts, doubtful);
};

const removeRows = async (
  context: Applying,
  { into }: TableFacts,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  const search = { table: into, by: 'id', values: ids };
  const rows = await findRows(context.tx, search);
  if (rows.length === 0) return;
  for (const facts of GHOST_TABLES) {
    for (const { table, column, key = 'id', loose } of facts.references ?? []) {
      if (table !== into || loose === true) continue;
      await awaitReferring(context, facts, { column, values: rows.map((row) => row[key] ?? null) });
    }
  }
  const present = rows.map(({ id }) => String(id));
  if (into === 'members') await deleteChosen(context.tx, present);
  else await deleteRows(context.tx, into, present);
};

type Referring = { readonly column: string; readonly values: readonly (string | number | null)[] };

/** The database takes away, or clears, what refers to a removed row; the source may have it still. */
const awaitReferring = async (
  context: Applying,
  facts: TableFacts,
  { column, values }: Referring,
): Promise<void> => {
  const { tx } = context;
  const present = values.filter((value) => value !== null);
  const search = { table: facts.into, columns: ['id'], by: column, values: present };
  const ids = (await findRows(tx, search)).map(({ id }) => String(id));
  if (ids.length === 0) return;
  await awaitRows(tx, facts.from, ids);
  for (const other of GHOST_TABLES) {
    for (const reference of other.references ?? []) {
      if (reference.table !== facts.into || reference.loose === true) continue;
      const inner = await keysOf(context, { table: facts.into, ids, key: reference.key });
      await awaitReferring(context, other, { column: reference.column, values: inner });
    }
  }
};

type Keyed = {
  readonly table: TableName;
  readonly ids: readonly string[];
  readonly key: string | undefined;
};

const keysOf = async (
  { tx }: Applying,
  { table, ids, key }: Keyed,
): Promise<readonly (string | number | null)[]> => {
  if (key === undefined) return ids;
  const rows = await findRows(tx, { table, columns: [key], by: 'id', values: ids });
  return rows.map((row) => row[key] ?? null);
};

const noteTaken = async (context: Applying, table: string): Promise<number> => {
  const { tx, stage, aliases, difference, nowMs } = context;
  let named = 0;
  await writeBlocks(tx, table, difference);
  for (const ids of difference.ids('gone', table)) {
    named += await noteFollowedRows(tx, table, { ids, kept: [], nowMs });
  }
  const facts = factsFor(table);
  if (facts === undefined) return named;
  for (const ids of difference.ids('changed', table)) {
    const rejected = stage.flagged('rejected', table, ids);
    const waiting = stage.flagged('waiting', table, ids);
    const problems = await findProblems(context, facts, ids);
    const kept = ids.flatMap((id) => {
      const resolved = aliases.resolve(facts.into, id);
      const target = resolved === id ? null : resolved;
      const isWaiting = rejected.has(id) || waiting.has(id);
      const problem = problems.get(id) ?? null;
      const isAsGiven = target === null && !isWaiting && problem === null;
      return isAsGiven ? [] : [{ id, target, isWaiting, problem }];
    });
    named += await noteFollowedRows(tx, table, { ids, kept, nowMs });
  }
  return named;
};
