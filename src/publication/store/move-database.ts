// Carries a publication from a SQLite file into an empty PostgreSQL database and back, keys, deliveries and members included,
// and compares each row of both. What one side cannot hold is changed here, and counted, or refused.
import { existsSync, renameSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { openConnection } from '../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../base/sqlite/driver.ts';
import { fillReadModel, readRows } from './postgres/fill.ts';
import { prepareDatabase } from './postgres/prepare-database.ts';
import { removeFile, scopeOf } from './postgres/read-model-file.ts';
import { unnest, withoutNul } from './postgres/row-changes.ts';
import { openSession, type Session, SNAPSHOT } from './postgres/session.ts';
import { type ColumnShape, namesOf, quote, type TableShape } from './postgres/table-shapes.ts';
import { openSqliteStore } from './sqlite/open-store.ts';

type MoveReport = {
  readonly rows: number;
  /** Texts that lost a character which PostgreSQL cannot hold: U+0000. */
  readonly changed: number;
};

const ROWS_AT_ONCE = 500;

/** Positions are of the log that was left: the next build compares everything, and announces what follows. */
const BEGIN_POSITION =
  'UPDATE published_position SET epoch = (SELECT epoch FROM log_state), seq = 0, nonce = ';

/** Throws DATABASE_NOT_EMPTY, and DATABASE_UNREADABLE for a value that PostgreSQL does not take. */
export const moveToPostgres = async (file: string, address: string): Promise<MoveReport> => {
  // Brings the file to the newest schema.
  await (await openSqliteStore(file, {})).close();
  const connection = openConnection(file, { readonly: true });
  const session = await openSession(address);
  try {
    connection.exec('BEGIN');
    const { tables } = scopeOf(false);
    const report = { rows: 0, changed: 0 };
    const load = async (): Promise<void> => {
      for (const table of tables)
        await insertRows(session, table, readTable(connection, table), report);
    };
    await prepareDatabase(session, { load });
    await compareRows(session, connection, tables);
    await session.query(`${BEGIN_POSITION}''`);
    return report;
  } finally {
    connection.close();
    await session.close();
  }
};

/** Throws FILE_EXISTS. */
export const moveToSqlite = async (address: string, file: string): Promise<MoveReport> => {
  if (existsSync(file)) throw new PrepressError('FILE_EXISTS', `${file} already exists.`);
  const session = await openSession(address);
  const draft = `${file}.moving`;
  try {
    await prepareDatabase(session, { isReader: true });
    const scope = scopeOf(false);
    removeFile(draft);
    const { rows } = await fillReadModel(session, draft, scope);
    const filled = openConnection(draft);
    try {
      await compareRows(session, filled, scope.tables);
      filled.exec('DROP TABLE read_model; DELETE FROM changes; DELETE FROM log_state');
    } finally {
      filled.close();
    }
    // Makes the triggers of the log.
    await (await openSqliteStore(draft, {})).close();
    const moved = openConnection(draft);
    moved.exec(`${BEGIN_POSITION}x''`);
    moved.close();
    renameSync(draft, file);
    return { rows, changed: 0 };
  } finally {
    removeFile(draft);
    await session.close();
  }
};

type Values = readonly unknown[];

function* readTable(connection: SqliteConnection, table: TableShape): Generator<Values> {
  const sql = `SELECT ${namesOf(table.columns)} FROM ${quote(table.name)} ORDER BY ${namesOf(table.key)}`;
  for (const row of connection.prepare(sql).raw().iterate()) {
    const values = row as Values;
    yield values.map((value, at) =>
      convert(value, table.columns[at] as ColumnShape, () => `${table.name} ${values[0]}`),
    );
  }
}

const convert = (value: unknown, { name, type }: ColumnShape, rowName: () => string): unknown => {
  if (value === null) return null;
  if (type === 'BLOB') return typeof value === 'string' ? Buffer.from(value) : value;
  if (type === 'TEXT') return Buffer.isBuffer(value) ? value.toString() : String(value);
  const number = Number(value);
  if (Number.isInteger(number) && !Buffer.isBuffer(value)) return number;
  const sentence = `The row ${rowName()} has no whole number in its column ${name}, which PostgreSQL does not take: correct it and try again.`;
  throw new PrepressError('DATABASE_UNREADABLE', sentence);
};

const insertRows = async (
  session: Session,
  table: TableShape,
  rows: Iterable<Values>,
  report: { rows: number; changed: number },
): Promise<void> => {
  const sql = `INSERT INTO ${quote(table.name)} (${namesOf(table.columns)}) SELECT * FROM ${unnest(table.columns)}`;
  let waiting: Values[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const taken = waiting;
    waiting = [];
    await session.query(
      sql,
      table.columns.map((_, at) => taken.map((row) => row[at])),
    );
    report.rows += taken.length;
  };
  for (const row of rows) {
    const held = row.map(withoutNul);
    report.changed += held.filter((value, at) => value !== row[at]).length;
    waiting.push(held);
    if (waiting.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
};

/** Throws DATABASE_UNREADABLE with the first row that differs. */
export const compareRows = async (
  session: Session,
  connection: SqliteConnection,
  tables: readonly TableShape[],
): Promise<void> =>
  session.transaction(SNAPSHOT, async () => {
    for (const table of tables) {
      const sql = `SELECT ${namesOf(table.columns)} FROM ${quote(table.name)} ORDER BY ${namesOf(table.key)}`;
      const here = readTable(connection, table);
      for await (const row of readRows(session, sql)) {
        const { value } = here.next();
        if (shown(value) !== shown(row)) throw differs(table, row[0]);
      }
      const { value, done } = here.next();
      if (!done) throw differs(table, (value as Values)[0]);
    }
  });

const shown = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) => withoutNul(value)) ?? '';

const differs = ({ name }: TableShape, id: unknown): PrepressError => {
  const sentence = `Row ${id} of ${name} is not the same on both sides.`;
  return new PrepressError('DATABASE_UNREADABLE', sentence);
};
