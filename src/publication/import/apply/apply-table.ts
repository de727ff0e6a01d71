// Writes the staged rows of one table that its plan lets through: adds what is new, updates the columns
// that differ, and leaves alone what is equal, so that importing again writes nothing.

import { parseStoredTime } from '../../../base/time.ts';
import {
  findRows,
  insertRows,
  type Row,
  updateRow,
  type Value,
} from '../../store/import/import-rows.ts';
import { readClockState } from '../../store/log/clock-state.ts';
import type { Transaction } from '../../store/store.ts';
import type { ReportBuilder } from '../import-report.ts';
import { type SettleOptions, settlePost } from '../intake/ghost-posts.ts';
import { fieldOf, type TableFacts } from '../intake/ghost-tables.ts';
import { withKnownBody } from '../intake/known-body.ts';
import type { ApplyContext } from './apply-context.ts';
import { completeRow } from './complete-row.ts';
import { planTable, type TablePlan } from './plan-table.ts';

export const applyTable = async (context: ApplyContext, facts: TableFacts): Promise<void> => {
  const { tx, stage } = context;
  const plan = await planTable(context, facts);
  if (facts.linksOf === undefined) await park(tx, facts, plan.parked);
  const clock = await readClockState(tx, context.nowMs);
  for (const batch of stage.rows(facts.from)) {
    const ids = batch.map(({ id }) => id);
    const rejected = stage.flagged('rejected', facts.from, ids);
    const mailed = stage.flagged('mailed', facts.from, ids);
    const shown = await findShown(context, facts, ids);
    const rows = batch
      .filter(({ id }) => !rejected.has(id))
      .map(({ id, row }) => {
        const isEmailOnly = mailed.has(id);
        const shownAt = shown.get(id);
        const staged = { id, row: JSON.parse(row) as Row, plan };
        return adapt(context, facts, { ...staged, settling: { clock, isEmailOnly, shownAt } });
      });
    await writeRows(context, facts, rows);
    context.onWritten(batch.length);
  }
};

/** Adds or updates rows that are complete; links are flagged as kept. */
export const writeRows = async (
  context: ApplyContext,
  facts: TableFacts,
  rows: readonly Row[],
): Promise<void> => {
  const { tx, report, stage, isFollowing = false } = context;
  const ids = rows.map(({ id }) => String(id));
  const found = await findRows(tx, { table: facts.into, by: 'id', values: ids });
  const stored = new Map(found.map((row) => [row.id, row]));
  const added = completeRows(
    context,
    facts,
    rows.filter(({ id }) => !stored.has(id ?? null)),
  );
  await insertRows(tx, facts.into, added);
  report.count(facts.from, 'added', added.length);
  for (const row of rows) {
    const before = stored.get(row.id ?? null);
    if (before === undefined) continue;
    const known = asKnown(context, facts, { before, row });
    const values = differences(before, known);
    if (isFollowing) for (const column of facts.ours ?? []) delete values[column];
    const isChanged = Object.keys(values).length > 0;
    if (isChanged) await update(tx, facts, { row: known, values });
    report.count(facts.from, isChanged ? 'changed' : 'unchanged');
  }
  if (facts.linksOf !== undefined) stage.flag('kept', facts.from, ids);
};

/** Without those that lack what nothing can stand for. */
const completeRows = (
  { columns, report, stage }: ApplyContext,
  facts: TableFacts,
  rows: readonly Row[],
): Row[] =>
  rows.flatMap((row) => {
    const completed = completeRow(facts, columns.get(facts.into) ?? [], row);
    if ('lacks' in completed) {
      const problem = {
        field: fieldOf(facts, completed.lacks),
        reason: 'cannot be read, and a new row needs it',
      };
      report.skip(facts.from, String(row.id), problem);
      stage.flag('rejected', facts.from, [String(row.id)]);
      return [];
    }
    return [completed.row];
  });

const differences = (before: Row, row: Row): Record<string, Value> =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => before[column] !== value));

type Pair = { readonly before: Row; readonly row: Row };

/** Without what the source knows less of than the publication. */
const asKnown = (
  { hints, report }: ApplyContext,
  { from }: TableFacts,
  { before, row }: Pair,
): Row => {
  const own = Object.entries(row).filter(([column]) => !hints.isOnlyForNew(from, column));
  const kept = Object.fromEntries(own);
  if (from !== 'posts') return kept;
  if (!hints.showsParts()) return withOwnDocuments(before, kept);
  const known = withKnownBody(before, kept);
  if (known.lostBlocks) report.remark('blocksLost', `posts ${String(row.id)}`);
  return withOwnDocuments(before, known.row);
};

/** With a new body goes an editor document of the body before, where the source gives none of its own. */
const withOwnDocuments = (before: Row, row: Row): Row => {
  const body = ['html', 'lexical', 'mobiledoc'];
  const isNew = body.some((column) => column in row && row[column] !== before[column]);
  return isNew ? { lexical: null, mobiledoc: null, ...row } : row;
};

type Change = { readonly row: Row; readonly values: Row };

const update = async (
  tx: Transaction,
  { into }: TableFacts,
  { row, values }: Change,
): Promise<void> => {
  const id = String(row.id);
  await updateRow(tx, { table: into, id, values });
  // New html empties a plaintext that stays the same: the file's own is put back, alone.
  const { plaintext } = row;
  if (into === 'posts' && 'html' in values && !('plaintext' in values) && plaintext != null) {
    await updateRow(tx, { table: into, id, values: { plaintext } });
  }
};

type StagedPlan = {
  readonly id: string;
  readonly row: Row;
  readonly plan: TablePlan;
  /** For a post. */
  readonly settling: Omit<SettleOptions, 'sourceMs' | 'isFollowing'>;
};

/** The row as the publication has it: with its ids, and a post with its status. */
const adapt = (
  { aliases, roles, report, sourceMs, isFollowing = false }: ApplyContext,
  facts: TableFacts,
  { id, row, plan, settling }: StagedPlan,
): Row => {
  const adapted: Record<string, Value> = { ...row, id: aliases.resolve(facts.into, id) };
  for (const { column, table, key } of facts.references ?? []) {
    const value = row[column];
    if (key === undefined && typeof value === 'string') {
      adapted[column] = aliases.resolve(table, value);
    }
  }
  for (const column of plan.cleared.get(id) ?? []) adapted[column] = null;
  const role = roles.get(id);
  if (facts.into === 'users' && role !== undefined) adapted.role = role;
  if (facts.into !== 'posts') return adapted;
  const settled = settlePost(adapted, { ...settling, sourceMs, isFollowing });
  remarkOnPost(report, adapted, settled);
  return settled;
};

const remarkOnPost = (report: ReportBuilder, given: Row, settled: Row): void => {
  if (given.status !== 'published') return;
  const subject = `posts ${String(given.id)}`;
  if (settled.status === 'scheduled') report.remark('early', subject);
  if (given.title === '(Untitled)') report.remark('untitled', subject);
};

/** When posts were published that the publication has as published, by the id of the file. */
const findShown = async (
  { tx, aliases }: ApplyContext,
  { into }: TableFacts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> => {
  if (into !== 'posts') return new Map();
  const values = ids.map((id) => aliases.resolve(into, id));
  const columns = ['id', 'status', 'published_at'] as const;
  const rows = await findRows(tx, { table: into, by: 'id', values, columns });
  const times = new Map(
    rows
      .filter(({ status }) => status === 'published')
      .map((row) => [row.id, parseStoredTime(row.published_at as string | number | null)]),
  );
  return new Map(ids.map((id) => [id, times.get(aliases.resolve(into, id)) ?? null]));
};

/** Frees unique values that rows of the file pass on to each other; each such row is written after. */
const park = async (tx: Transaction, facts: TableFacts, ids: readonly string[]): Promise<void> => {
  const columns = new Set((facts.unique ?? []).flat());
  for (const name of Object.keys(facts.values ?? {})) columns.delete(name);
  for (const id of ids) {
    const values = Object.fromEntries([...columns].map((column) => [column, `~${id}`]));
    await updateRow(tx, { table: facts.into, id, values });
  }
};
