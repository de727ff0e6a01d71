// The log of queries over SQLite. A build may hold the build database for long, so each call opens it anew, waits for
// nobody, and commits without waiting for the disk.

import { loadDriver, type SqliteConnection } from '../../sqlite/driver.ts';
import type { AskedQueries, AskedQuery } from '../asked-queries.ts';
import { isDatabaseAt } from './connection.ts';

/** See `askedQueriesAt` in the port. */
export const sqliteAskedQueriesAt = (path: string, keptMax: number): AskedQueries => ({
  add: (asked) => withDatabase(path, (connection) => add(connection, asked, keptMax)) ?? false,
  list: () => withDatabase(path, list) ?? [],
});

/** Null when the database is absent, locked, without the log, or damaged: a build makes it again. */
const withDatabase = <T>(path: string, work: (connection: SqliteConnection) => T): T | null => {
  let connection: SqliteConnection | null = null;
  try {
    if (!isDatabaseAt(path)) return null;
    connection = new (loadDriver())(path, { timeout: 0, fileMustExist: true });
    connection.pragma('synchronous = NORMAL');
    return work(connection);
  } catch {
    return null;
  } finally {
    connection?.close();
  }
};

const PUT = `INSERT INTO asked_queries (resource, query, count, asked_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET
    count = count + excluded.count, asked_at = max(asked_at, excluded.asked_at)`;

/** What was just added counts as more than the least used: a new one could never become usual among 500 others. */
const DROP = `WITH
  marked AS (
    SELECT resource, query, count, asked_at,
      resource || ' ' || query IN (SELECT value FROM json_each(?)) AS is_added
    FROM asked_queries),
  ranked AS (
    SELECT resource, query, asked_at,
      count + is_added * coalesce((SELECT min(count) FROM marked WHERE NOT is_added), 0) AS rank
    FROM marked)
  DELETE FROM asked_queries WHERE (resource, query) IN (
    SELECT resource, query FROM ranked ORDER BY rank, asked_at, resource, query
    LIMIT max(0, (SELECT count(*) FROM asked_queries) - ?))`;

const add = (
  connection: SqliteConnection,
  asked: readonly AskedQuery[],
  keptMax: number,
): boolean => {
  const put = connection.prepare(PUT);
  const drop = connection.prepare(DROP);
  connection
    .transaction(() => {
      for (const { resource, query, count, askedAt } of asked) {
        put.run(resource, query, count, askedAt);
      }
      const added = asked.map(({ resource, query }) => `${resource} ${query}`);
      drop.run(JSON.stringify(added), keptMax);
    })
    .immediate();
  return true;
};

const list = (connection: SqliteConnection): AskedQuery[] =>
  connection
    .prepare(
      `SELECT resource, query, count, asked_at AS askedAt FROM asked_queries
       ORDER BY count DESC, asked_at DESC, resource, query`,
    )
    .all() as AskedQuery[];
