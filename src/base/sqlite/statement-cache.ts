// Statements that are used again: preparing one anew takes longer than most of them run. SQLite prepares a kept one
// anew by itself when the schema has changed.
import { LRUCache } from 'lru-cache';

const KEPT_MAX = 200;
/** Longer ones have lists of any length in them: they are seldom the same, and take much memory. */
const KEPT_LENGTH_MAX = 4_000;

/** A `prepare` that hands out the statement of before where the text is the same; the ones used last are kept. */
export const cacheStatements = <Statement extends object>(
  prepare: (sql: string) => Statement,
): ((sql: string) => Statement) => {
  const kept = new LRUCache<string, Statement>({ max: KEPT_MAX });
  return (sql) => {
    if (sql.length > KEPT_LENGTH_MAX) return prepare(sql);
    const statement = kept.get(sql) ?? prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
};
