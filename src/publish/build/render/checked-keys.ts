// Keeps rows out of the tree whose id cannot name a folder of it. The schema's CHECK and key refuse them,
// but a table that another program made again has lost both.
import { isId } from '../../../base/ids.ts';
import { toText } from '../../../base/text/stored-text.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import type { RowProblem } from '../../../publication/documents/row-problem.ts';
import type { RecordKey } from '../../../publication/snapshot/snapshot.ts';

const TABLES: Readonly<Record<Resource, string>> = {
  posts: 'posts',
  pages: 'posts',
  tags: 'tags',
  authors: 'users',
};

/** The keys that can be placed; each of the others is added to `problems`. */
export const checkKeys = (
  resource: Resource,
  keys: readonly RecordKey[],
  problems: RowProblem[],
): RecordKey[] => {
  const seen = new Set<string>();
  return keys.filter(({ id }) => {
    const reason = reasonAgainst(id, seen);
    if (reason === null) {
      seen.add(id);
      return true;
    }
    problems.push({ table: TABLES[resource], id: toText(id), field: 'id', reason });
    return false;
  });
};

const reasonAgainst = (id: unknown, seen: ReadonlySet<string>): string | null => {
  if (typeof id !== 'string' || !isId(id)) return 'is not 24 hex digits in lower case';
  return seen.has(id) ? 'stands in more than one row' : null;
};
