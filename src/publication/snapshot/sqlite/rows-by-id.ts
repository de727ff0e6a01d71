// Finds rows by their ids, and finds out when the index of ids does not lead to them: a disk may have damaged
// it. SQLite does not notice that, and an incremental build would take the record for removed.
import { PrepressError } from '../../../base/errors.ts';
import type { Preparing } from '../../../base/sqlite/driver.ts';
import type { RecordHolder } from '../last-good-row.ts';

/** Where SQLite keeps the place of a row, unless a column has that name. */
const PLACES = ['rowid', '_rowid_', 'oid'];

const ASKED = '(SELECT value AS prepress_asked FROM json_each(?)) prepress_asked';

/**
 * What stands in FROM for the rows with the ids of a JSON array, which are in `prepress_asked`. Each is looked
 * up: left to itself, SQLite may read the keys of all posts for one. The index gives the place of the row and
 * nothing of what is read: the row's own id tells when the index led to another. A table that another program
 * made again may have no such index, or no places; how it is read is left to SQLite.
 */
export const byId = (statements: Preparing, table: RecordHolder, name: string): string => {
  const place = findPlace(statements, table);
  if (place === undefined) return `${ASKED} JOIN ${table} ${name} ON ${name}.id = prepress_asked`;
  return `${ASKED}
    CROSS JOIN (SELECT id AS prepress_id, ${place} AS prepress_place FROM ${table}) prepress_found
      ON prepress_id = prepress_asked
    CROSS JOIN ${table} ${name} ON ${name}.${place} = prepress_place`;
};

const findPlace = (statements: Preparing, table: RecordHolder): string | undefined => {
  const hasPlaces = statements
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM pragma_index_list(t.name) l, pragma_index_info(l.name) i
         WHERE i.seqno = 0 AND lower(i.name) = 'id' AND l.partial = 0) AND NOT t.wr
       FROM pragma_table_list(?) t WHERE t.schema = 'main'`,
    )
    .pluck()
    .get(table);
  if (hasPlaces !== 1) return undefined;
  const columns = statements
    .prepare('SELECT lower(name) FROM pragma_table_xinfo(?)')
    .pluck()
    .all(table) as string[];
  return PLACES.find((place) => !columns.includes(place));
};

/** Those of `ids` that no row has. Throws DATABASE_UNREADABLE when one stands that its index does not lead to. */
export const findMissing = (
  statements: Preparing,
  table: RecordHolder,
  ids: readonly string[],
): string[] => {
  if (ids.length === 0) return [];
  const found = statements
    .prepare(`SELECT t.id FROM ${byId(statements, table, 't')}`)
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
      // To the letter, whatever the column holds alike.
      `SELECT id FROM ${table} NOT INDEXED
       WHERE +id COLLATE BINARY IN (SELECT value FROM json_each(?)) LIMIT 1`,
    )
    .pluck()
    .get(JSON.stringify(ids)) as string | undefined;
  if (hidden !== undefined) throw misledAt(table, hidden);
};

export const misledAt = (table: RecordHolder, id: string): PrepressError =>
  new PrepressError(
    'DATABASE_UNREADABLE',
    `The database is damaged: an index of ${table} is wrong about ${id} (the SQL statement REINDEX makes all indexes anew).`,
  );
