// Keeps rows of tags and authors between calls: many posts share them.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import { toDocumentRow } from '../../tables/document-row.ts';
import { byId, throwIfHidden } from './rows-by-id.ts';
import type { SetAsideReader } from './set-aside-reader.ts';

/** At most this many tag and author rows are kept between calls. */
const CACHED_ROWS_MAX = 10_000;

export type RowCache<Row> = (ids: readonly string[]) => ReadonlyMap<string, Row>;

/** Rows of tags or authors by id; an earlier row stands for one that is set aside. */
export const cachedRows = <Row extends { id: string }>(
  statements: Preparing,
  table: 'tags' | 'users',
  aside: SetAsideReader,
): RowCache<Row> => {
  const statement = statements.prepare(`SELECT t.* FROM ${byId(statements, table, 't')}`);
  const cache = new Map<string, Row>();
  const absent = new Set<string>();
  return (ids) => {
    if (cache.size > CACHED_ROWS_MAX) cache.clear();
    if (absent.size > CACHED_ROWS_MAX) absent.clear();
    const missing = ids.filter((id) => !cache.has(id) && !absent.has(id));
    if (missing.length > 0) {
      for (const row of statement.all(JSON.stringify(missing)) as Row[]) {
        const shown = aside.has(table, row.id) ? aside.row(table, row.id)?.row : row;
        if (shown !== undefined) cache.set(row.id, toDocumentRow(table, shown) as Row);
      }
      const vain = missing.filter((id) => !cache.has(id));
      const lost = vain.filter((id) => !aside.has(table, id));
      throwIfHidden(statements, table, lost);
      for (const id of vain) absent.add(id);
    }
    return cache;
  };
};
