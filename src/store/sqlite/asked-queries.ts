// The log of queries in the build database: how often each was asked, at most 500, the least used dropped. A build may
// hold that database for long, so each call opens it anew, waits for nobody, and commits without waiting for the disk.
import type { Resource } from '../../paths/endpoints.ts';
import { isDatabaseAt } from './connection.ts';
import { loadDriver, type SqliteConnection } from './driver.ts';

export type AskedQuery = {
  readonly resource: Resource;
  /** Canonical text. */
  readonly query: string;
  readonly count: number;
  /** The last time, in milliseconds. */
  readonly askedAt: number;
};

export type AskedQueries = {
  /** Adds to the counts; false when the database does not take it now. */
  readonly add: (asked: readonly AskedQuery[]) => boolean;
  /** The most used first; none when there is no such log. */
  readonly list: () => AskedQuery[];
};

export const ASKED_QUERIES_MAX = 500;

/** `path` is that of the build database, which this neither makes nor migrates. */
export const askedQueriesAt = (path: string): AskedQueries => ({
  add: (asked) => withDatabase(path, (connection) => add(connection, asked)) ?? false,
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
    LIMIT max(0, (SELECT count(*) FROM asked_queries) - ${ASKED_QUERIES_MAX}))`;

const add = (connection: SqliteConnection, asked: readonly AskedQuery[]): boolean => {
  const put = connection.prepare(PUT);
  const drop = connection.prepare(DROP);
  connection
    .transaction(() => {
      for (const { resource, query, count, askedAt } of asked) {
        put.run(resource, query, count, askedAt);
      }
      drop.run(JSON.stringify(asked.map(({ resource, query }) => `${resource} ${query}`)));
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
