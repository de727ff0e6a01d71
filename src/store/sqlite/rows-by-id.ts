// Finds rows by their ids, and finds out when the index of ids does not lead to them: a disk may have damaged
// it. SQLite does not notice that, and an incremental build would take the record for removed.
import { PrepressError } from '../../base/errors.ts';
import type { Preparing } from './driver.ts';

export type RecordHolder = 'posts' | 'tags' | 'users';

/**
 * The rows with the ids of a JSON array, which are in `asked`; each is looked up, for left to itself, SQLite may
 * read the keys of all posts for one. The index gives the place of the row and nothing of what is read: the
 * row's own id tells when the index led to another.
 */
export const byId = (table: RecordHolder, name: string): string =>
  `(SELECT value AS asked FROM json_each(?)) CROSS JOIN (SELECT id AS found, rowid AS place FROM ${table})
     ON found = asked CROSS JOIN ${table} ${name} ON ${name}.rowid = place`;

/** Those of `ids` that no row has. Throws DATABASE_UNREADABLE when one stands that its index does not lead to. */
export const findMissing = (
  statements: Preparing,
  table: RecordHolder,
  ids: readonly string[],
): string[] => {
  if (ids.length === 0) return [];
  const found = statements
    .prepare(`SELECT t.id FROM ${byId(table, 't')}`)
    .pluck()
    .all(JSON.stringify(ids)) as string[];
  const standing = new Set(found);
  const missing = ids.filter((id) => !standing.has(id));
  throwIfHidden(statements, table, missing);
  return missing;
};

/** Reads the whole table, so it is for ids that were looked up in vain. */
export const throwIfHidden = (
  statements: Preparing,
  table: RecordHolder,
  ids: readonly string[],
): void => {
  if (ids.length === 0) return;
  const hidden = statements
    .prepare(
      `SELECT id FROM ${table} NOT INDEXED WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
    .pluck()
    .get(JSON.stringify(ids)) as string | undefined;
  if (hidden !== undefined) throw misledAt(table, hidden);
};

export const misledAt = (table: RecordHolder, id: string): PrepressError =>
  new PrepressError(
    'DATABASE_UNREADABLE',
    `The database is damaged: an index of ${table} does not lead to ${id} (the SQL statement REINDEX makes all indexes anew).`,
  );
