// Fills a read model from one state of PostgreSQL: each table by a cursor in the order of its key, then the log from the
// announced position on, so that a server which was filled anew may announce what others left.
import { renameSync, rmSync } from 'node:fs';
import { makePrivateFile } from '../../../base/files/private-files.ts';
import { openConnection } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { migrate } from '../../../base/sqlite/migrate.ts';
import { NEWEST_MIGRATION, PUBLICATION_MIGRATIONS } from '../sqlite/migrations.ts';
import {
  CHANGE,
  CHANGES,
  makeReadModelTable,
  type Position,
  prepareInsert,
  prepareLog,
  removeFile,
  type Scope,
} from './read-model-file.ts';
import { type Session, SNAPSHOT, tooNew } from './session.ts';
import { namesOf, quote } from './table-shapes.ts';

/** Rows that are read at once: the first of a table, and at most; of long rows fewer, so that few texts are in memory. */
const FIRST_ROWS = 200;
const ROWS_MAX = 2_000;
const UNITS_AT_ONCE = 1024 * 1024;

export type FillReport = { readonly rows: number; readonly seq: number };

/** The newest number that a transaction sees, and a migration that this program does not know. */
export const POSITION = `SELECT s.epoch, coalesce(c.last_seq, 0), coalesce(upper(encode(c.nonce, 'hex')), ''),
    (SELECT max(number) FROM migrations WHERE number > ${NEWEST_MIGRATION} AND NOT is_additive) FROM log_state s
  LEFT JOIN LATERAL (SELECT last_seq, nonce FROM commits ORDER BY last_seq DESC LIMIT 1) c ON true`;

/** Of what `POSITION` answers. Throws DATABASE_TOO_NEW. */
export const toPosition = (session: Session, [row]: readonly unknown[][] = []): Position => {
  if (row === undefined) throw new Error('The log has no state.');
  const [epoch, seq, nonce, newer] = row;
  if (newer !== null) throw tooNew(session, Number(newer));
  return { epoch: String(epoch), seq: Number(seq), nonce: String(nonce) };
};

/** Throws DATABASE_TOO_NEW. */
export const findPosition = async (session: Session): Promise<Position> =>
  toPosition(session, await session.list(POSITION));

/** Puts a new file in the place of the one at `path`, which whoever has it open goes on reading. */
export const fillReadModel = async (
  session: Session,
  path: string,
  scope: Scope,
): Promise<FillReport> => {
  const draft = `${path}.new`;
  removeFile(draft);
  makePrivateFile(draft);
  const connection = openConnection(draft, { journal: 'OFF', synchronous: 'OFF' });
  try {
    const report = await session.transaction(SNAPSHOT, () =>
      fillTables(session, connection, scope),
    );
    connection.close();
    // SQLite would lay a log that stayed over the new file.
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    renameSync(draft, path);
    return report;
  } finally {
    connection.close();
    removeFile(draft);
  }
};

const fillTables = async (
  session: Session,
  connection: SqliteConnection,
  scope: Scope,
): Promise<FillReport> => {
  migrate(connection, PUBLICATION_MIGRATIONS);
  connection.pragma('foreign_keys = OFF');
  const indexes = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) connection.exec(`DROP INDEX ${quote(name)}`);
  const position = await findPosition(session);
  connection.exec('BEGIN');
  makeReadModelTable(connection, scope, position);
  connection
    .prepare("INSERT INTO log_state (id, epoch, triggers_sha256) VALUES (1, ?, '')")
    .run(position.epoch);
  let rows = 0;
  for (const table of scope.tables) {
    connection.exec(`DELETE FROM ${quote(table.name)}`);
    const insert = prepareInsert(connection, table);
    const sql = `SELECT ${namesOf(table.columns)} FROM ${quote(table.name)} ORDER BY ${namesOf(table.key)}`;
    for await (const row of readRows(session, sql)) {
      insert.run(table.isOrdered ? [null, ...row] : row);
      rows += 1;
    }
  }
  await fillLog(session, connection, { scope, position });
  for (const { sql } of indexes) connection.exec(sql);
  connection.exec('COMMIT');
  return { rows, seq: position.seq };
};

/** Opens the one cursor of the caller's transaction; the last statement answers its first rows. */
export const openRows = (sql: string): string =>
  `CLOSE ALL; DECLARE part NO SCROLL CURSOR FOR ${sql}; FETCH ${FIRST_ROWS} FROM part`;

/** Rows of a query by a cursor, within the caller's transaction. */
export async function* readRows(session: Session, sql: string): AsyncGenerator<unknown[]> {
  yield* readRest(session, (await session.lists(openRows(sql))).at(-1));
}

/** The first rows, and those that are left. */
export async function* readRest(
  session: Session,
  first: readonly unknown[][] = [],
): AsyncGenerator<unknown[]> {
  let part = first;
  for (let asked = FIRST_ROWS; ; ) {
    const isLast = part.length < asked;
    asked = Math.min(ROWS_MAX, Math.ceil((part.length * UNITS_AT_ONCE) / unitsOf(part)));
    // PostgreSQL reads on while these are taken.
    const next = isLast ? null : session.list(`FETCH ${asked} FROM part`);
    next?.catch(() => undefined);
    yield* part;
    if (next === null) return;
    part = await next;
  }
}

/** Of the texts; a number counts as a short one. */
const unitsOf = (rows: readonly unknown[][]): number => {
  let units = 0;
  for (const row of rows)
    for (const value of row) units += typeof value === 'string' ? value.length : 8;
  return units;
};

/** What was not announced yet, from the row at the announced position on: its nonce tells this log from another one. */
const fillLog = async (
  session: Session,
  connection: SqliteConnection,
  { scope, position }: { readonly scope: Scope; readonly position: Position },
): Promise<void> => {
  const names = new Set(scope.tables.map(({ name }) => name));
  const insert = prepareLog(connection);
  const announced = await session.query<{ seq: number; nonce: string }>(
    `SELECT p.seq, coalesce(c.nonce, '') AS nonce FROM published_position p JOIN log_state s ON s.epoch = p.epoch
     LEFT JOIN commits c ON c.last_seq >= p.seq AND c.first_seq <= p.seq AND c.nonce = p.nonce
     WHERE c.nonce IS NOT NULL OR (p.seq = 0 AND (SELECT coalesce(min(first_seq), 1) FROM commits) = 1)`,
  );
  const [from] = scope.name === 'all' ? announced : [];
  const notes = new Map<number, unknown>();
  // Also of an empty log: commits that change no record are missing in the file's.
  notes.set(position.seq, Buffer.from(position.nonce, 'hex'));
  if (from !== undefined) {
    notes.set(from.seq, from.nonce);
    const sql = `SELECT * FROM (${CHANGES} WHERE c.last_seq >= ${from.seq}) AS part WHERE seq >= ${from.seq} ORDER BY seq`;
    for await (const change of readRows(session, sql)) {
      if (change[CHANGE.record] === null || !names.has(String(change[CHANGE.entity]))) continue;
      notes.delete(Number(change[CHANGE.seq]));
      insert.run(change.slice(0, CHANGE.logged));
    }
  }
  for (const [seq, nonce] of notes)
    insert.run(seq, nonce, '', 'i', '', '', null, null, null, null, null);
};
