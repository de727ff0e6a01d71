// Moves a read model on to PostgreSQL's newest commit: the rows that changed since, as they are in one state, and the log,
// in one transaction of the file. Whole commits alone are shown.
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { retryWhileBusy } from '../sqlite/dialect.ts';
import { findPosition, openRows, POSITION, readRest, toPosition } from './fill.ts';
import {
  CHANGE,
  CHANGES,
  type Position,
  prepareInsert,
  prepareLog,
  readPosition,
  type Scope,
} from './read-model-file.ts';
import { TYPES } from './schema.ts';
import { type Session, SNAPSHOT } from './session.ts';
import { quote, type TableShape } from './table-shapes.ts';

const ROWS_AT_ONCE = 1_000;
const LOCK_TIMEOUT_MS = 5_000;

/** `lost`: PostgreSQL's log does not hold the file's position, so the file must be filled again. */
export type Tailed = 'lost' | 'current' | 'moved';

export const tail = async (
  session: Session,
  connection: SqliteConnection,
  scope: Scope,
): Promise<Tailed> => {
  for (;;) {
    const tailed = await tailOnce(session, connection, scope);
    if (tailed !== 'outrun') return tailed;
  }
};

/** `outrun`: another program of this machine moved the file meanwhile, perhaps not as far. */
const tailOnce = async (
  session: Session,
  connection: SqliteConnection,
  scope: Scope,
): Promise<Tailed | 'outrun'> => {
  const from = readPosition(connection);
  const newest = await findPosition(session);
  if (newest.epoch !== from.epoch || newest.seq < from.seq) return 'lost';
  if (newest.seq === from.seq) return newest.nonce === from.nonce ? 'current' : 'lost';
  const changes = openRows(`${CHANGES} WHERE c.last_seq > ${from.seq} ORDER BY 1`);
  const asked = [SNAPSHOT, heldOf(from), POSITION, changes].join('; ');
  return session.transaction(asked, async ([held, position, ...rest]) => {
    if (held?.length !== 1) return 'lost';
    const to = toPosition(session, position);
    if (to.seq === from.seq) return 'current';
    await retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'), LOCK_TIMEOUT_MS);
    try {
      const isMoved = move(connection, from, to);
      const rows = readRest(session, rest.at(-1));
      if (isMoved) await applyChanges(session, connection, { rows, scope });
      connection.exec(isMoved ? 'COMMIT' : 'ROLLBACK');
      return isMoved ? 'moved' : 'outrun';
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  });
};

/**
 * One row where the log holds a position. The same number may be another commit's: after a failover, commits are lost and
 * their numbers given again.
 */
const heldOf = ({ seq, nonce }: Position): string =>
  seq === 0
    ? 'SELECT FROM (SELECT min(first_seq) AS seq FROM commits) AS oldest WHERE coalesce(seq, 1) = 1'
    : `SELECT FROM commits WHERE last_seq = ${seq} AND nonce = decode('${nonce}', 'hex')`;

/** False when another program has moved the file. */
const move = (connection: SqliteConnection, from: Position, to: Position): boolean =>
  connection
    .prepare('UPDATE read_model SET seq = ?, nonce = ? WHERE seq = ? AND epoch = ?')
    .run(to.seq, to.nonce, from.seq, from.epoch).changes === 1;

type Applied = { readonly rows: AsyncIterable<unknown[]>; readonly scope: Scope };

const applyChanges = async (
  session: Session,
  connection: SqliteConnection,
  { rows: changes, scope }: Applied,
): Promise<void> => {
  const tables = new Map(scope.tables.map((table) => [table.name, table] as const));
  connection.exec(
    'CREATE TEMP TABLE IF NOT EXISTS touched (entity TEXT, key TEXT, place INTEGER, PRIMARY KEY (entity, key))',
  );
  connection.exec('DELETE FROM touched');
  const touch = connection.prepare('INSERT OR IGNORE INTO touched VALUES (?, ?, NULL)');
  const log = prepareLog(connection);
  for await (const change of changes) {
    const entity = String(change[CHANGE.entity]);
    if (!tables.has(entity)) continue;
    touch.run(entity, change[CHANGE.logged]);
    if (change[CHANGE.record] !== null) log.run(change.slice(0, CHANGE.logged));
  }
  // New rows come last, in the order of the log.
  const touchedOf = connection.prepare(
    'SELECT key, place FROM touched WHERE entity = ? ORDER BY place IS NULL, rowid',
  );
  const keep = connection.prepare('UPDATE touched SET place = ? WHERE entity = ? AND key = ?');
  // All of them first: two rows may have changed places in a column that is unique.
  for (const [name, table] of tables) {
    const place = table.isOrdered ? 'rowid' : 'NULL';
    const remove = connection
      .prepare(
        `DELETE FROM ${quote(name)} WHERE ${table.key.map((column) => `${quote(column.name)} = ?`).join(' AND ')}
         RETURNING ${place}`,
      )
      .pluck();
    for (const { key } of touchedOf.all(name) as Touched[]) {
      const left = remove.get(JSON.parse(key));
      if (typeof left === 'number') keep.run(left, name, key);
    }
  }
  for (const [name, table] of tables) {
    const rows = touchedOf.all(name) as Touched[];
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await copyRows(session, connection, table, rows.slice(at, at + ROWS_AT_ONCE));
  }
};

type Touched = { readonly key: string; readonly place: number | null };

const copyRows = async (
  session: Session,
  connection: SqliteConnection,
  table: TableShape,
  touched: readonly Touched[],
): Promise<void> => {
  const parts = table.key.map(({ name, type }, at) => {
    const part = `t.key->>${at}`;
    return `r.${quote(name)} = ${type === 'TEXT' ? `(${part}) COLLATE "C"` : `(${part})::${TYPES[type]}`}`;
  });
  const columns = table.columns.map(({ name }) => `r.${quote(name)}`);
  const rows = await session.list(
    `SELECT t.nth - 1, ${columns.join(', ')} FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS t (key, nth)
      JOIN ${quote(table.name)} r ON ${parts.join(' AND ')} ORDER BY t.nth`,
    [`[${touched.map(({ key }) => key).join()}]`],
  );
  const insert = prepareInsert(connection, table);
  for (const [nth, ...row] of rows)
    insert.run(table.isOrdered ? [touched[Number(nth)]?.place ?? null, ...row] : row);
};
