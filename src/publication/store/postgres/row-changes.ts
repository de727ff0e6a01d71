// What a save changed in the read model, as rows: temporary triggers note keys, whose rows are compared with those that were
// committed before. They are sent to PostgreSQL as the rows that differ.
import { type Kysely, sql } from 'kysely';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import type { Tables } from '../../tables/tables.ts';
import { RULES } from '../sqlite/triggers.ts';
import type { Scope } from './read-model-file.ts';
import { TYPES } from './schema.ts';
import type { Session } from './session.ts';
import { type ColumnShape, namesOf, quote, type TableShape } from './table-shapes.ts';

type Row = Readonly<Record<string, unknown>>;

type TableChanges = {
  readonly table: TableShape;
  readonly gone: readonly Row[];
  readonly added: readonly Row[];
  /** By the columns that differ. */
  readonly changed: ReadonlyMap<string, readonly Row[]>;
};

const ROWS_AT_ONCE = 500;

/**
 * Without a unique key: an upsert lets the outer statement's way with conflicts overrule a trigger's. Deletions of a REPLACE
 * run triggers where they are recursive.
 */
export const noteChanges = (connection: SqliteConnection, { tables }: Scope): void => {
  connection.pragma('recursive_triggers = ON');
  for (const { sql } of RULES)
    connection.exec(sql.replace('CREATE', 'CREATE TEMP').replace('ON posts', 'ON main.posts'));
  connection.exec('CREATE TEMP TABLE noted (entity TEXT, key TEXT)');
  for (const { name, key } of tables) {
    const keyOf = (row: 'OLD' | 'NEW'): string =>
      `('${name}', json_array(${key.map((column) => `${row}.${quote(column.name)}`).join(', ')}))`;
    const rows = {
      INSERT: [keyOf('NEW')],
      UPDATE: [keyOf('OLD'), keyOf('NEW')],
      DELETE: [keyOf('OLD')],
    };
    for (const [event, values] of Object.entries(rows))
      connection.exec(
        `CREATE TEMP TRIGGER ${quote(`note_${name}_${event}`)} AFTER ${event} ON main.${quote(name)}
         BEGIN INSERT INTO noted VALUES ${values.join(', ')}; END`,
      );
  }
};

export const forgetNoted = (tx: Kysely<Tables>): Promise<unknown> =>
  sql`DELETE FROM temp.noted`.execute(tx);

/** `before` reads what is committed. */
export const listChanges = async (
  tx: Kysely<Tables>,
  before: Kysely<Tables>,
  { tables }: Scope,
): Promise<TableChanges[]> => {
  const { rows: noted } = await sql<{ entity: string; keys: string }>`
    SELECT entity, json_group_array(json(key) ORDER BY first) AS keys FROM
      (SELECT entity, key, min(rowid) AS first FROM temp.noted GROUP BY entity, key) GROUP BY entity`.execute(
    tx,
  );
  const keys = new Map(noted.map((one) => [one.entity, one.keys] as const));
  const changes: TableChanges[] = [];
  for (const table of tables) {
    const named = keys.get(table.name);
    if (named === undefined) continue;
    changes.push(
      compare(table, await readByKeys(before, table, named), await readByKeys(tx, table, named)),
    );
  }
  return changes;
};

const readByKeys = async (
  from: Kysely<Tables>,
  { name, columns, key }: TableShape,
  keys: string,
): Promise<Map<string, Row>> => {
  const parts = key.map(
    (column, at) => `t.${quote(column.name)} = json_extract(k.value, '$[${at}]')`,
  );
  const names = columns.map((column) => `t.${quote(column.name)}`);
  const { rows } = await sql<Row>`SELECT ${sql.raw(names.join(', '))} FROM json_each(${keys}) k
    CROSS JOIN ${sql.raw(quote(name))} t ON ${sql.raw(parts.join(' AND '))}`.execute(from);
  return new Map(
    rows.map((row) => [JSON.stringify(key.map((column) => row[column.name])), row] as const),
  );
};

const compare = (
  table: TableShape,
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): TableChanges => {
  const changed = new Map<string, Row[]>();
  for (const [key, row] of after) {
    const old = before.get(key);
    if (old === undefined) continue;
    const differing = table.columns.filter(({ name }) => !isSame(old[name], row[name]));
    if (differing.length === 0) continue;
    const names = namesOf(differing);
    const alike = changed.get(names);
    if (alike === undefined) changed.set(names, [row]);
    else alike.push(row);
  }
  return {
    table,
    gone: [...before].flatMap(([key, row]) => (after.has(key) ? [] : [row])),
    added: [...after].flatMap(([key, row]) => (before.has(key) ? [] : [row])),
    changed,
  };
};

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other));

export const isNothing = (changes: readonly TableChanges[]): boolean =>
  changes.every(({ gone, added, changed }) => gone.length + added.length + changed.size === 0);

/**
 * Rows that go are taken first, those that refer to others before them. A row that a cascade took with them, and that the
 * save gave another owner, is put in again: changes are sent as whole rows.
 */
export const sendChanges = async (
  session: Session,
  changes: readonly TableChanges[],
  { tables }: Scope,
): Promise<void> => {
  const held = changes.flatMap((change) => listHeld(change, tables)).join(', ');
  if (held !== '') await session.query(`SET CONSTRAINTS ${held} DEFERRED`);
  for (const { table, gone } of [...changes].reverse()) await deleteRows(session, table, gone);
  for (const { table, added, changed } of changes) {
    await clearUnique(session, table, changed);
    for (const [names, rows] of changed) {
      const set = names.split(', ').map((name) => `${name} = excluded.${name}`);
      const end = `ON CONFLICT (${namesOf(table.key)}) DO UPDATE SET ${set.join(', ')}`;
      await insertRows(session, table, rows, end);
    }
    await insertRows(session, table, added, '');
  }
  if (held !== '') await session.query(`SET CONSTRAINTS ${held} IMMEDIATE`);
};

/** Names of foreign keys to a column that changes: they hold once all rows are sent. */
const listHeld = (
  { table, changed }: TableChanges,
  tables: readonly TableShape[],
): readonly string[] => {
  const moved = new Set([...changed.keys()].flatMap((names) => names.split(', ')));
  return tables.flatMap(({ name, references }) =>
    references
      .filter((one) => one.table === table.name && moved.has(quote(one.target)))
      .map(({ column }) => quote(`${name}_${column}_fkey`)),
  );
};

/** Rows that change places in a column that is unique would be in each other's way. */
const clearUnique = async (
  session: Session,
  { name, columns, key, unique, references }: TableShape,
  changed: TableChanges['changed'],
): Promise<void> => {
  const texts = columns.filter(
    (column) =>
      column.type === 'TEXT' &&
      unique.some((set) => set.columns.includes(column.name)) &&
      !references.some((reference) => reference.column === column.name),
  );
  for (const column of texts) {
    const moving = [...changed].filter(([names]) => names.split(', ').includes(quote(column.name)));
    const rows = moving.flatMap(([, some]) => some);
    if (rows.length < 2) continue;
    const free = `UPDATE ${quote(name)} SET ${quote(column.name)} = 'moving-' || gen_random_uuid()
      WHERE (${namesOf(key)}) IN (SELECT * FROM ${unnest(key)})`;
    for (const part of partsOf(rows)) await session.query(free, valuesOf(key, part));
  }
};

const deleteRows = async (
  session: Session,
  { name, key }: TableShape,
  rows: readonly Row[],
): Promise<void> => {
  const sql = `DELETE FROM ${quote(name)} WHERE (${namesOf(key)}) IN (SELECT * FROM ${unnest(key)})`;
  for (const part of partsOf(rows)) await session.query(sql, valuesOf(key, part));
};

const insertRows = async (
  session: Session,
  { name, columns }: TableShape,
  rows: readonly Row[],
  end: string,
): Promise<void> => {
  const sql = `INSERT INTO ${quote(name)} (${namesOf(columns)}) SELECT * FROM ${unnest(columns)} ${end}`;
  for (const part of partsOf(rows)) await session.query(sql, valuesOf(columns, part));
};

/** Of lists of values, a parameter for each column. */
export const unnest = (columns: readonly ColumnShape[]): string =>
  `unnest(${columns.map(({ type }, at) => `$${at + 1}::${TYPES[type]}[]`).join(', ')})`;

const valuesOf = (columns: readonly ColumnShape[], rows: readonly Row[]): unknown[] =>
  columns.map(({ name }) => rows.map((row) => withoutNul(row[name])));

/** PostgreSQL holds no U+0000 in a text. */
export const withoutNul = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

function* partsOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE);
}
