// Decides, before a row of a table is written, which staged rows can be taken: every reference leads to
// a row that is there, and no unique value belongs to someone else. Writes nothing to the publication.

import { parseStoredTime } from '../../../base/time.ts';
import { findStanding } from '../../store/import/followed.ts';
import { findRows, type Row } from '../../store/import/import-rows.ts';
import type { RowKeys } from '../../store/import/import-stage.ts';
import { keyOf } from '../intake/ghost-intake.ts';
import { fieldOf, type Reference, sourceOf, type TableFacts } from '../intake/ghost-tables.ts';
import { FIRST_USER, type Problem } from '../intake/normalise-row.ts';
import { noteRow } from '../intake/row-notes.ts';
import { keepsOnConflict } from '../intake/shown-columns.ts';
import type { ApplyContext } from './apply-context.ts';

export type TablePlan = {
  /** Columns to leave empty, by row id: they refer to rows that do not exist. */
  readonly cleared: ReadonlyMap<string, readonly string[]>;
  /** Rows of the publication that give up a unique value to another row of the file. */
  readonly parked: readonly string[];
};

type Planning = {
  readonly context: ApplyContext;
  readonly facts: TableFacts;
  readonly cleared: Map<string, string[]>;
  readonly rejected: Set<string>;
  /** Row of the file -> the row of the publication that it moves, and rows of the file that can be taken then. */
  readonly waiting: Map<string, { readonly holder: string; readonly rows: Set<string> }>;
  readonly claimed: Set<string>;
};

export const planTable = async (context: ApplyContext, facts: TableFacts): Promise<TablePlan> => {
  const planning: Planning = {
    context,
    facts,
    cleared: new Map(),
    rejected: new Set(),
    waiting: new Map(),
    claimed: new Set(),
  };
  if (IDENTIFIED.has(facts.into) && (await knowsSome(planning))) {
    for (const batch of context.stage.rows(facts.from)) await refuseOthers(planning, batch);
  }
  for (const rowKeys of context.stage.rowKeys(facts.from)) {
    await checkReferences(planning, rowKeys);
    await checkKeys(
      planning,
      rowKeys.filter(({ id }) => !planning.rejected.has(id)),
    );
  }
  const { cleared, rejected, waiting } = planning;
  const parked = [...waiting]
    .filter(([id, { rows }]) => !rejected.has(id) && [...rows].some((row) => !rejected.has(row)))
    .map(([, { holder }]) => holder);
  return { cleared, parked };
};

/** With the row, all that wait for its value, and for theirs: a file may hold a long chain of them. */
const reject = (
  planning: Planning,
  first: string,
  { problem, isConflict = false }: { readonly problem: Problem; readonly isConflict?: boolean },
): void => {
  const { context, facts, rejected, waiting } = planning;
  const ids = new Set([first]);
  for (const id of ids) {
    if (rejected.has(id)) continue;
    rejected.add(id);
    context.stage.flag('rejected', facts.from, [id]);
    context.report.skip(facts.from, id, problem);
    if (isConflict && keepsOnConflict(facts)) {
      noteRow(context.stage, facts, { id, raw: null, problem });
    }
    for (const row of waiting.get(id)?.rows ?? []) ids.add(row);
  }
};

const IDENTIFIED: ReadonlySet<string> = new Set(['posts', 'tags', 'users']);

/** Of an import: rows of a source that is followed are what the source says they are. */
const knowsSome = async ({ context, facts }: Planning): Promise<boolean> => {
  if (context.isFollowing) return false;
  for (const rowKeys of context.stage.rowKeys(facts.from)) {
    const values = rowKeys.map(({ id }) => id);
    const search = { table: facts.into, columns: ['id'], by: 'id', values } as const;
    if ((await findRows(context.tx, search)).length > 0) return true;
  }
  return false;
};

/** Exports with short ids, such as 1 and 2, may be of two publications: they have the same ids for other rows. */
const refuseOthers = async (
  planning: Planning,
  batch: readonly { readonly id: string; readonly row: string }[],
): Promise<void> => {
  const { context, facts } = planning;
  const values = batch.map(({ id }) => id);
  const found = await findRows(context.tx, { table: facts.into, by: 'id', values });
  const stored = new Map(found.map((row) => [row.id, row]));
  for (const { id, row } of batch) {
    const known = stored.get(id);
    const isOwner = facts.into === 'users' && id === FIRST_USER;
    if (known === undefined || isOwner || !isOther(known, JSON.parse(row))) continue;
    const reason = `is that of another row here, "${known.slug}": import the file into a publication of its own`;
    reject(planning, id, { problem: { field: 'id', reason } });
  }
};

/** A row keeps its time of creation, and a post its uuid, whatever becomes of its slug. */
const isOther = (known: Row, row: Row): boolean => {
  if (!row.slug || row.slug === known.slug) return false;
  const [before, now] = [known, row].map((one) => parseStoredTime(one.created_at));
  const isMadeThen = !now || before === now;
  return !isMadeThen || (row.uuid !== undefined && row.uuid !== known.uuid);
};

const checkReferences = async (planning: Planning, rowKeys: readonly RowKeys[]): Promise<void> => {
  const { facts, context } = planning;
  for (const [index, reference] of (facts.references ?? []).entries()) {
    if (reference.loose) continue;
    const values = rowKeys.flatMap(({ references }) => references[index] ?? []);
    const isThere = await findTargets(context, reference, values);
    const column = context.columns.get(facts.into)?.find(({ name }) => name === reference.column);
    for (const { id, references } of rowKeys) {
      const value = references[index];
      if (value === null || value === undefined || isThere(value)) continue;
      if (column?.nullable === true) {
        planning.cleared.set(id, [...(planning.cleared.get(id) ?? []), reference.column]);
        context.stage.flag('waiting', facts.from, [id]);
        context.report.remark('referenceCleared', `${facts.from} ${id}`);
      } else {
        rejectDangling(planning, id, reference);
      }
    }
  }
};

/** An export of Ghost has what members redeemed, and never the members. */
const rejectDangling = (planning: Planning, id: string, { table, column }: Reference): void => {
  const { context, facts, rejected } = planning;
  if (table === 'members' && context.isFollowing !== true && !context.stage.declares(table)) {
    rejected.add(id);
    context.stage.flag('rejected', facts.from, [id]);
    context.report.remark('ofMembers', facts.from);
    return;
  }
  const reason = `refers to a row of ${sourceOf(table)} that is not there`;
  reject(planning, id, { problem: { field: fieldOf(facts, column), reason } });
};

const findTargets = async (
  { tx, stage, aliases }: ApplyContext,
  { table, key = 'id' }: Reference,
  values: readonly string[],
): Promise<(value: string) => boolean> => {
  const resolve = (value: string): string => (key === 'id' ? aliases.resolve(table, value) : value);
  const wanted = [...new Set(values.map(resolve))];
  const rows = await findRows(tx, { table, columns: [key], by: key, values: wanted });
  const found = new Set(rows.map((row) => row[key]));
  const from = sourceOf(table);
  const refused = key === 'id' ? stage.flagged('rejected', from, values) : new Set<string>();
  // Of these an earlier version is there.
  for (const id of stage.notes(from, [...refused]).keys()) refused.delete(id);
  return (value) => found.has(resolve(value)) && !refused.has(value);
};

type Conflict = {
  readonly with: string;
  readonly columns: readonly string[];
  readonly values: readonly string[];
};

const checkKeys = async (planning: Planning, rowKeys: readonly RowKeys[]): Promise<void> => {
  const { context, facts, rejected } = planning;
  if (facts.unique === undefined) return;
  const conflicts = await findConflicts(planning, rowKeys);
  if (conflicts.size === 0) return;
  const others = [...new Set([...conflicts.values()].flat().map((conflict) => conflict.with))];
  // A row that stands here under another id than in the source that is followed is moved by the row of the source.
  const found = context.isFollowing ? await findStanding(context.tx, facts.from, others) : [];
  const sources = new Map(found.map(({ id, target }) => [target, id]));
  const sourceOfRow = (row: string): string => sources.get(row) ?? row;
  const staged = context.stage.staged(facts.from, others.map(sourceOfRow));
  const refused = context.stage.flagged('rejected', facts.from, others.map(sourceOfRow));
  const rows = await findRows(context.tx, {
    table: facts.into,
    columns: ['id'],
    by: 'id',
    values: [...conflicts.keys()],
  });
  const present = new Set(rows.map((row) => row.id));
  const taken = (await context.findOthers?.(facts.from, others)) ?? new Set();
  for (const [id, met] of conflicts) {
    const standing = met.filter(({ with: row }) => {
      const source = sourceOfRow(row);
      return !staged.has(source) || refused.has(source) || rejected.has(source);
    });
    const isOther =
      !facts.isKeyed &&
      standing.some(({ with: row }) => taken.has(row) || staged.has(sourceOfRow(row)));
    const isNew = !present.has(id) && !isOther;
    if (standing.length > 0) settleConflict(planning, { id, standing, isNew });
    if (rejected.has(id)) continue;
    for (const one of met) {
      if (standing.includes(one)) continue;
      const source = sourceOfRow(one.with);
      const { rows: waiting = new Set<string>() } = planning.waiting.get(source) ?? {};
      planning.waiting.set(source, { holder: one.with, rows: waiting.add(id) });
    }
  }
};

const findConflicts = async (
  { context, facts }: Planning,
  rowKeys: readonly RowKeys[],
): Promise<Map<string, Conflict[]>> => {
  const conflicts = new Map<string, Conflict[]>();
  for (const [index, columns] of (facts.unique ?? []).entries()) {
    const keys = new Map(
      rowKeys.flatMap(({ id, keys }) => {
        const key = keys[index];
        return key === null || key === undefined
          ? []
          : [[id, resolveKey(context, facts, { columns, key })] as const];
      }),
    );
    const [first = ''] = columns;
    const rows = await findRows(context.tx, {
      table: facts.into,
      columns: ['id', ...columns],
      by: first,
      values: [...new Set([...keys.values()].map((values) => values[0] ?? null))],
    });
    const holders = new Map(rows.map((row) => [keyOf(facts, columns, row), textId(row)]));
    for (const [id, values] of keys) {
      const holder = holders.get(JSON.stringify(values));
      if (holder === undefined || holder === context.aliases.resolve(facts.into, id)) continue;
      conflicts.set(id, [...(conflicts.get(id) ?? []), { with: holder, columns, values }]);
    }
  }
  return conflicts;
};

const textId = (row: Row): string => String(row.id);

type StagedKey = { readonly columns: readonly string[]; readonly key: string };

const resolveKey = (
  { aliases }: ApplyContext,
  { references }: TableFacts,
  { columns, key }: StagedKey,
): string[] =>
  (JSON.parse(key) as string[]).map((value, index) => {
    const reference = references?.find(({ column }) => column === columns[index]);
    return reference === undefined || reference.key !== undefined
      ? value
      : aliases.resolve(reference.table, value);
  });

type Standing = {
  readonly id: string;
  readonly standing: readonly Conflict[];
  /** The publication has no row with this id, and what stands in its way is no other row of the source. */
  readonly isNew: boolean;
};

/** A row that is new under its id may be one that the publication has under another; else it is refused. */
const settleConflict = (planning: Planning, { id, standing, isNew }: Standing): void => {
  const { context, facts, claimed } = planning;
  const [conflict] = standing;
  if (conflict === undefined) return;
  const holders = new Set(standing.map((one) => one.with));
  if (facts.matches === true && isNew && holders.size === 1 && !claimed.has(conflict.with)) {
    claimed.add(conflict.with);
    context.aliases.addTarget(facts.into, id, conflict.with);
    context.matched.add(id);
    if (facts.linksOf === undefined && facts.into !== 'settings') {
      context.report.remark('matched', `${facts.from} ${id}`);
    }
    return;
  }
  refuse(planning, id, conflict);
};

const refuse = (planning: Planning, id: string, conflict: Conflict): void => {
  const { context, facts } = planning;
  const field = conflict.columns.map((column) => fieldOf(facts, column)).join(' and ');
  if (facts.into === 'members' && field === 'email') context.twins.set(id, conflict.with);
  if (facts.into === 'posts' && context.isFollowing !== true)
    context.report.remark('slugTaken', conflict.values[0] ?? '');
  const verb = conflict.columns.length > 1 ? 'belong' : 'belongs';
  const reason = `${verb} to another row, ${conflict.with}`;
  reject(planning, id, { problem: { field, reason }, isConflict: true });
};
