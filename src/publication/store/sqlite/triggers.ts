// The triggers that notice any writer: they copy each row change into `changes` with the row as it was
// before, and keep two rules of published posts. Made from one table of what is logged, and named with
// one prefix, so that a dropped or altered trigger is found by comparing texts; then they are installed
// again under a new epoch, because changes may have gone unlogged.
import { createHash, randomBytes } from 'node:crypto';
import { PrepressError } from '../../../base/errors.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import {
  columnsWhere,
  type LoggedName,
  RECORD_TABLES,
  type TableFacts,
} from '../../tables/record-tables.ts';
import { hasChangeLog, makeChangeLog } from './change-log.ts';

const PREFIX = 'prepress_';

type Trigger = { readonly name: string; readonly sql: string };

/**
 * Gives a function that makes sure that the change log and all triggers stand as they should; it returns
 * true when they had to be installed. Throws DATABASE_ALTERED when a watched table lacks what it needs. What they
 * should be like is worked out once for each state of the schema.
 */
export const createTriggerKeeper = (connection: SqliteConnection): (() => boolean) => {
  let expected = { schemaVersion: -1, fingerprint: '' };
  const expectedFingerprint = (): string => {
    const schemaVersion = connection.pragma('schema_version', { simple: true }) as number;
    if (expected.schemaVersion !== schemaVersion) {
      expected = { schemaVersion, fingerprint: fingerprint(makeTriggers(connection)) };
    }
    return expected.fingerprint;
  };
  return () => {
    const isWhole = hasChangeLog(connection) && hasTriggers(connection, expectedFingerprint());
    if (isWhole) return false;
    installTriggers(connection);
    return true;
  };
};

const installTriggers = (connection: SqliteConnection): void => {
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const { name } of readTriggers(connection)) connection.exec(`DROP TRIGGER "${name}"`);
    makeChangeLog(connection);
    for (const { sql } of makeTriggers(connection)) connection.exec(sql);
    connection
      .prepare(
        `INSERT INTO log_state (id, epoch, triggers_sha256) VALUES (1, ?, ?)
         ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, triggers_sha256 = excluded.triggers_sha256`,
      )
      .run(randomBytes(8).toString('hex'), fingerprint(readTriggers(connection)));
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
};

/** True when the triggers in the database are the ones that were installed, and this program's. */
const hasTriggers = (connection: SqliteConnection, expected: string): boolean => {
  const state = connection.prepare('SELECT triggers_sha256 FROM log_state WHERE id = 1').get() as
    | { triggers_sha256: string }
    | undefined;
  return state?.triggers_sha256 === expected && fingerprint(readTriggers(connection)) === expected;
};

const fingerprint = (triggers: readonly Trigger[]): string => {
  const hash = createHash('sha256');
  for (const { name, sql } of [...triggers].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(`${name}\n${sql}\n`);
  }
  return hash.digest('hex');
};

const readTriggers = (connection: SqliteConnection): Trigger[] =>
  connection
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?`)
    .all(`${PREFIX}*`) as Trigger[];

/** SQLite runs the newest trigger first: the rules stand first, so that a change is logged before the
 * change that a rule adds to it, and the log can be read backwards. */
const makeTriggers = (connection: SqliteConnection): Trigger[] => [
  ...RULES.filter(({ needs }) => {
    const types = readTypes(connection, 'posts');
    return needs.every((column) => types.has(column));
  }),
  ...LOGGED.flatMap((table) => makeLogTriggers(findStanding(connection, table))),
];

const LOGGED = Object.keys(RECORD_TABLES) as LoggedName[];

type LoggedTable = {
  readonly table: LoggedName;
  readonly facts: TableFacts;
  readonly columns: readonly string[];
  /** The declared types of all that stand. */
  readonly types: ReadonlyMap<string, string>;
  /** Sets of columns that are unique together: REPLACE removes other rows through them, unnoticed. */
  readonly unique: readonly (readonly string[])[];
};

/**
 * Leaves out what another program dropped: a trigger that names it would fail every writer. A column that it added
 * is not named either: it could not drop that again.
 */
const findStanding = (connection: SqliteConnection, table: LoggedName): LoggedTable => {
  const facts: TableFacts = RECORD_TABLES[table];
  const { record, other } = facts;
  const types = readTypes(connection, table);
  const isStanding = (column: string): boolean => types.has(column);
  const lost = ['id', record, ...(other === undefined ? [] : [other])].find((c) => !isStanding(c));
  if (lost !== undefined) {
    const sentence = `The database has no table ${table} with a column ${lost}.`;
    throw new PrepressError('DATABASE_ALTERED', sentence);
  }
  return {
    table,
    facts,
    types,
    columns: columnsWhere(table, ({ logs }) => logs !== null).filter(isStanding),
    unique: [['id'], ...(facts.unique ?? [])].filter((set) => set.every(isStanding)),
  };
};

/** The columns of a table with their types; none when it is absent. SQLite does not mind the case of either. */
const readTypes = (connection: SqliteConnection, table: string): Map<string, string> => {
  const rows = connection.prepare(`PRAGMA table_info("${table}")`).all() as {
    name: string;
    type: string;
  }[];
  return new Map(rows.map(({ name, type }) => [name.toLowerCase(), type.toUpperCase()]));
};

const makeLogTriggers = (logged: LoggedTable): Trigger[] => {
  const { table, columns } = logged;
  const old = (op: 'u' | 'd' | 'r', row: string): string =>
    `json_object(${columns
      .map((column) => `'${column}', ${oldValue(logged, column, { op, row })}`)
      .join(', ')})`;
  const values = (op: string, row: string, before: string): string =>
    [
      `'${table}'`,
      `'${op}'`,
      `${row}."id"`,
      ...linked(logged, row),
      ...(op === 'u' ? linked(logged, 'OLD') : ['NULL', 'NULL']),
      before,
      '(SELECT action FROM action_scope)',
    ].join(', ');
  const into =
    'INSERT INTO changes (entity, op, row_id, record_id, other_id, old_record_id, old_other_id, old, action)';
  const trigger = (event: string, when: string, statement: string, only = ''): Trigger => {
    const name = `${PREFIX}${table}_${event}`;
    return {
      name,
      sql: `CREATE TRIGGER ${name} ${when} ON "${table}"${only} BEGIN ${statement}; END`,
    };
  };
  const replaced = (condition: string): string =>
    `${into} SELECT ${values('r', 'r', old('r', 'r'))} FROM "${table}" AS r WHERE ${condition}`;
  const conflicts = logged.unique
    .map((set) => `(${set.map((column) => `r."${column}" = NEW."${column}"`).join(' AND ')})`)
    .join(' OR ');
  return [
    trigger('i', 'AFTER INSERT', `${into} VALUES (${values('i', 'NEW', 'NULL')})`),
    trigger(
      'u',
      'AFTER UPDATE',
      `${into} VALUES (${values('u', 'NEW', old('u', 'OLD'))})`,
      ` WHEN ${differs(logged)}`,
    ),
    trigger('d', 'AFTER DELETE', `${into} VALUES (${values('d', 'OLD', old('d', 'OLD'))})`),
    trigger('ri', 'BEFORE INSERT', replaced(conflicts)),
    trigger('ru', 'BEFORE UPDATE', replaced(`r.rowid <> OLD.rowid AND (${conflicts})`)),
  ];
};

/** An update that leaves every logged column as it was is no change. */
const differs = ({ facts: { record, other }, columns }: LoggedTable): string =>
  [...new Set(['id', record, ...(other === undefined ? [] : [other]), ...columns])]
    .map((column) => `OLD."${column}" IS NOT NEW."${column}"`)
    .join(' OR ');

const linked = ({ facts: { record, other } }: LoggedTable, row: string): string[] => [
  `${row}."${record}"`,
  other === undefined ? 'NULL' : `${row}."${other}"`,
];

/**
 * JSON has no place for a blob. A column of text holds nothing else but text, so that only others are asked what they
 * hold: each connection that opens the database reads all triggers, and their length is most of what that takes.
 */
const oldValue = (
  { table, types }: LoggedTable,
  column: string,
  { op, row }: { readonly op: string; readonly row: string },
): string => {
  const place = `${row}."${column}"`;
  const text = `CAST(${place} AS TEXT)`;
  const value =
    types.get(column) === 'TEXT'
      ? text
      : `CASE typeof(${place}) WHEN 'blob' THEN ${text} ELSE ${place} END`;
  if (op !== 'u' || !isLong(table, column)) return value;
  return `CASE WHEN OLD."${column}" IS NEW."${column}" THEN json('true') ELSE ${value} END`;
};

/** Logged only when it changes: `true` stands for "as it is now". */
const isLong = (table: LoggedName, column: string): boolean =>
  columnsWhere(table, ({ logs }) => logs === 'changes').includes(column);

const STAMP = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
const PUBLISHED_WITHOUT_TIME = "NEW.status = 'published' AND NEW.published_at IS NULL";
const stampPublished = `UPDATE posts SET published_at = ${STAMP} WHERE id = NEW.id`;

type Rule = Trigger & { readonly needs: readonly string[] };

/** A published post always has its time; plaintext never outlives the html it was made from. */
export const RULES: readonly Rule[] = [
  {
    name: `${PREFIX}stamp_i`,
    needs: ['status', 'published_at'],
    sql: `CREATE TRIGGER ${PREFIX}stamp_i AFTER INSERT ON posts WHEN ${PUBLISHED_WITHOUT_TIME} BEGIN ${stampPublished}; END`,
  },
  {
    name: `${PREFIX}stamp_u`,
    needs: ['status', 'published_at'],
    sql: `CREATE TRIGGER ${PREFIX}stamp_u AFTER UPDATE ON posts WHEN ${PUBLISHED_WITHOUT_TIME} BEGIN ${stampPublished}; END`,
  },
  {
    name: `${PREFIX}plaintext_u`,
    needs: ['html', 'plaintext'],
    sql: `CREATE TRIGGER ${PREFIX}plaintext_u AFTER UPDATE OF html ON posts WHEN NEW.html IS NOT OLD.html AND NEW.plaintext IS OLD.plaintext AND NEW.plaintext IS NOT NULL BEGIN UPDATE posts SET plaintext = NULL WHERE id = NEW.id; END`,
  },
];
