// Reads whole rows as they are now, for events and the admin shape: what a document's row leaves out
// (drafts, member data) is here too, so nothing of it may reach `output/`.
// What editors keep of posts stays behind: no payload shows it.

import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { columnsWhere, keyColumn, type RecordTable } from '../../tables/record-tables.ts';
import type { RecordRow, Snapshot } from '../snapshot.ts';

const OMITTED = new Set(columnsWhere('posts', ({ logs }) => logs === null));

export const readRecords = (connection: SqliteConnection): Pick<Snapshot, 'rows'> => ({
  rows: <T extends RecordTable>(table: T, ids: readonly string[] | 'all') => {
    const select = `SELECT ${columnsOf(connection, table)} FROM "${table}"`;
    if (ids === 'all') return connection.prepare(select).all() as RecordRow<T>[];
    return connection
      .prepare(`${select} WHERE "${keyColumn(table)}" IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids)) as RecordRow<T>[];
  },
});

const columnsOf = (connection: SqliteConnection, table: RecordTable): string =>
  (connection.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[])
    .filter(({ name }) => !OMITTED.has(name))
    .map(({ name }) => `"${name.replaceAll('"', '""')}"`)
    .join(', ');
