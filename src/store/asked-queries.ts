// The port to the log of queries in the build database: how often each was asked, at most 500, the least used dropped.
import type { Resource } from '../paths/endpoints.ts';
import { sqliteAskedQueriesAt } from './sqlite/asked-queries.ts';

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
export const askedQueriesAt = (path: string): AskedQueries =>
  sqliteAskedQueriesAt(path, ASKED_QUERIES_MAX);
