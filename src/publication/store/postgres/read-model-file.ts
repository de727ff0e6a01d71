// The read model's file: today's SQLite publication, which shows one commit of PostgreSQL. Its table `read_model` says which.
// The log's triggers are not in it: rows come from PostgreSQL, and their changes with PostgreSQL's numbers.
import { existsSync, rmSync } from 'node:fs';
import { openConnection } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { isDamage } from '../../../base/sqlite/error-kinds.ts';
import { PUBLICATION_MIGRATIONS } from '../sqlite/migrations.ts';
import { listTables, namesOf, quote, shownToReaders, type TableShape } from './table-shapes.ts';

export type Position = { readonly epoch: string; readonly seq: number; readonly nonce: string };

/** Which tables a read model has. */
export type Scope = {
  readonly name: 'all' | 'shown';
  readonly tables: readonly TableShape[];
};

export const scopeOf = (isReader: boolean): Scope => {
  const tables = listTables();
  return isReader
    ? { name: 'shown', tables: tables.filter(shownToReaders) }
    : { name: 'all', tables };
};

/** The position and the program that a file was made by. */
export const makeReadModelTable = (
  connection: SqliteConnection,
  scope: Scope,
  { epoch, seq, nonce }: Position,
): void => {
  connection.exec(
    'CREATE TABLE read_model (id INTEGER PRIMARY KEY CHECK (id = 1), epoch TEXT, seq INTEGER, nonce TEXT, scope TEXT)',
  );
  connection
    .prepare('INSERT INTO read_model VALUES (1, ?, ?, ?, ?)')
    .run(epoch, seq, nonce, scope.name);
};

export const readPosition = (connection: SqliteConnection): Position =>
  connection.prepare('SELECT epoch, seq, nonce FROM read_model').get() as Position;

/** False for a file of another program, another scope or another version, and for a damaged one. */
export const isReadModel = (path: string, scope: Scope): boolean =>
  readForm(path) === formOf(scope);

/** Whole, and of another scope or version: a program may be reading it. */
export const isOfAnother = (path: string, scope: Scope): boolean =>
  ![null, formOf(scope)].includes(readForm(path));

const formOf = ({ name }: Scope): string => `${name} ${PUBLICATION_MIGRATIONS.length}`;

const readForm = (path: string): string | null => {
  if (!existsSync(path)) return null;
  try {
    const connection = openConnection(path);
    try {
      const scope = connection.prepare('SELECT scope FROM read_model').pluck().get();
      const applied = connection.prepare('SELECT count(*) FROM migrations').pluck().get();
      return `${scope} ${applied}`;
    } finally {
      connection.close();
    }
  } catch (error) {
    if (isDamage(error)) removeFile(path);
    return null;
  }
};

export const removeFile = (path: string): void => {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
};

/** Of a table that is ordered, the first value is the row's place; null: the last one. */
export const prepareInsert = (
  connection: SqliteConnection,
  { name, columns, isOrdered }: TableShape,
) =>
  connection.prepare(
    `INSERT INTO ${quote(name)} (${isOrdered ? 'rowid, ' : ''}${namesOf(columns)})
     VALUES (${isOrdered ? '?, ' : ''}${columns.map(() => '?').join(', ')})`,
  );

/** Takes a change of PostgreSQL's log as `CHANGES` reads it. */
export const prepareLog = (connection: SqliteConnection) =>
  connection.prepare(
    `INSERT INTO changes (seq, nonce, entity, op, row_id, record_id, other_id, old_record_id, old_other_id, old, action)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

/** The changes of commits after a number, in order; those without a record are of rows alone. */
export const CHANGES = `SELECT c.first_seq - 1 + row_number() OVER (PARTITION BY c.last_seq ORDER BY ch.n) AS seq, c.nonce,
    ch.entity, ch.op, ch.row_key->>0, ch.record_id, ch.other_id, ch.old_record_id, ch.old_other_id, ch.old::text, ch.action,
    ch.row_key::text
  FROM commits c JOIN changes ch ON ch.tx = c.tx`;

/** Of a row that `CHANGES` gives. */
export const CHANGE = { seq: 0, nonce: 1, entity: 2, record: 5, logged: 11 } as const;
