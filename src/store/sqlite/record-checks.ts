// A sum over what lists are made from, kept beside the records and compared where their order is read: SQLite does
// not notice a bit that a disk has changed in a row, and lists would be spliced wrong.
import type { Resource } from '../../paths/endpoints.ts';
import type { OrderEntry } from '../manifest.ts';
import type { SqliteConnection } from './driver.ts';

/** FNV-1a of a row, in 32 bits. */
const rowCheck = ({ id, sort, isPublic, sizes }: OrderEntry): number => {
  const text = `${id} ${sort} ${isPublic ? 1 : 0} ${sizes.join()}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
};

/** Of rows in any order. */
const checkOf = (rows: readonly OrderEntry[]): number =>
  rows.reduce((sum, row) => sum ^ rowCheck(row), 0);

type Row = { id: string; sort: number | string; is_public: number; sizes: string };

export type RecordChecks = {
  /** True when these are all rows of the resource, as they were written. */
  readonly isWhole: (resource: Resource, rows: readonly OrderEntry[]) => boolean;
  /** Before a row takes the place of another one; null when that one goes. */
  readonly replace: (resource: Resource, id: string, row: OrderEntry | null) => void;
  /** All rows go. */
  readonly clear: () => void;
  /** Writes the sums in the transaction that wrote the rows. */
  readonly write: () => void;
  /** Forgets what was not written. */
  readonly reset: () => void;
};

export const createRecordChecks = (connection: SqliteConnection): RecordChecks => {
  const one = connection.prepare(
    'SELECT id, sort, is_public, sizes FROM records WHERE resource = ? AND id = ?',
  );
  const read = connection.prepare('SELECT value FROM checks WHERE resource = ?').pluck();
  const put = connection.prepare('INSERT OR REPLACE INTO checks (resource, value) VALUES (?, ?)');
  const sums = new Map<Resource, number>();
  /** Ids of rows since all went; null: there may be others. */
  let rows: Map<Resource, Set<string>> | null = null;
  const sumOf = (resource: Resource): number =>
    sums.get(resource) ?? (rows === null ? ((read.get(resource) as number | undefined) ?? 0) : 0);
  const standing = (resource: Resource, id: string): number => {
    if (rows !== null && rows.get(resource)?.has(id) !== true) return 0;
    const row = one.get(resource, id) as Row | undefined;
    if (row === undefined) return 0;
    const sizes = row.sizes.slice(1, -1).split(',');
    return rowCheck({ ...row, isPublic: row.is_public === 1, sizes: sizes.map(Number) });
  };
  const reset = (): void => {
    sums.clear();
    rows = null;
  };
  return {
    isWhole: (resource, all) => checkOf(all) === sumOf(resource),
    replace: (resource, id, row) => {
      const change = standing(resource, id) ^ (row === null ? 0 : rowCheck(row));
      sums.set(resource, sumOf(resource) ^ change);
      rows?.set(resource, (rows.get(resource) ?? new Set()).add(id));
    },
    clear: () => {
      sums.clear();
      rows = new Map();
    },
    write: () => {
      if (rows !== null) connection.exec('DELETE FROM checks');
      for (const [resource, value] of sums) put.run(resource, value);
      reset();
    },
    reset,
  };
};

/** What a changed bit has made of a row; SQLite's own errors of damage begin so too. */
export const damaged = (cause?: unknown): Error =>
  Object.assign(new Error('records are not as they were written', { cause }), {
    code: 'SQLITE_CORRUPT_RECORDS',
  });

/** Throws it for what is no JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(cause);
  }
};
