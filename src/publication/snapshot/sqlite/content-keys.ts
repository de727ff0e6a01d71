// Reads the keys of records that the content interface shows, or those of a few of them. Rows that are set aside give way
// to the rows that are kept of them.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import { spellBytes, toText } from '../../../base/text/stored-text.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { publicPost } from '../../tables/published-posts.ts';
import type { RecordHolder } from '../last-good-row.ts';
import type { RecordKey, Snapshot } from '../snapshot.ts';
import { LINKS, type Link } from './link-sql.ts';
import { byId, misledAt } from './rows-by-id.ts';
import { notAbsent } from './set-aside-content.ts';
import type { SetAsideReader } from './set-aside-reader.ts';

/** Takes what else is to be true of the posts. `CROSS JOIN` reads the links of a record first, not all published posts. */
const linkedToPublished =
  ({ table, pivot, column }: Link) =>
  (and: string): string =>
    `EXISTS (SELECT 1 FROM ${pivot} l CROSS JOIN posts p ON p.id = l.post_id
    WHERE l.${column} = ${table}.id AND ${publicPost('p')} ${and})`;

type KeyQuery = {
  readonly columns: string;
  readonly table: RecordHolder;
  readonly shown: (and: string) => string;
};

const KEY_QUERIES: Readonly<Record<Resource, KeyQuery>> = {
  posts: {
    columns: 'id, slug, published_at AS time',
    table: 'posts',
    shown: () => `${publicPost('posts')} AND type = 'post'`,
  },
  pages: {
    columns: 'id, slug, published_at AS time',
    table: 'posts',
    shown: () => `${publicPost('posts')} AND type = 'page'`,
  },
  tags: {
    columns: 'id, slug',
    table: 'tags',
    shown: linkedToPublished(LINKS.tags),
  },
  authors: {
    columns: 'id, slug',
    table: 'users',
    shown: linkedToPublished(LINKS.authors),
  },
};

/** The keys of those shown, as KeyRow and whether the row has the id that was asked for. */
export const keysOfQuery = (statements: Preparing, resource: Resource, and = ''): string => {
  const { columns, table, shown } = KEY_QUERIES[resource];
  return `SELECT ${columns}, ${table}.id = prepress_asked AS isAsked
    FROM ${byId(statements, table, table)} WHERE ${shown(and)}`;
};

type KeyRow = {
  id: string;
  /** Another program may have stored anything. */
  slug: unknown;
  /** When a post or page is published; absent for tags and authors. */
  time?: unknown;
};

type KeyReader = Pick<Snapshot, 'keys' | 'keysOf'>;

export const readKeys = (statements: Preparing, aside: SetAsideReader): KeyReader => {
  return {
    keys: (resource) => {
      const { columns, table, shown: where } = KEY_QUERIES[resource];
      const { and, given } = notAbsent(table, aside);
      const query = statements.prepare(`SELECT ${columns} FROM ${table} WHERE ${where(and)}`);
      const rows = query.iterate(given) as Iterable<KeyRow>;
      return keysFrom(resource, { aside, rows, isAsked: () => true });
    },
    keysOf: (resource, ids) => {
      const { table } = KEY_QUERIES[resource];
      const { and, given } = notAbsent(table, aside);
      const statement = statements.prepare(keysOfQuery(statements, resource, and));
      const rows = statement.all(JSON.stringify(ids), ...given) as (KeyRow & { isAsked: number })[];
      for (const { id, isAsked } of rows) if (isAsked === 0) throw misledAt(table, id);
      const asked = new Set(ids);
      return keysFrom(resource, { aside, rows, isAsked: (id) => asked.has(id) });
    },
  };
};

type Found = {
  readonly aside: SetAsideReader;
  readonly rows: Iterable<KeyRow>;
  /** Tells the posts and pages that are wanted. */
  readonly isAsked: (id: string) => boolean;
};

const keysFrom = (resource: Resource, { aside, rows, isAsked }: Found): RecordKey[] => {
  const { table } = KEY_QUERIES[resource];
  const keys: RecordKey[] = [];
  const found = new Set<string>();
  for (const row of rows) {
    if (aside.has(table, row.id)) found.add(row.id);
    else keys.push(toKey(resource, row));
  }
  for (const kept of aside.keys(resource)) {
    const isKept = table === 'posts' ? isAsked(kept.id) : found.has(kept.id);
    if (isKept) keys.push(toKey(resource, kept));
  }
  return keys;
};

/** An id stays as it is stored: what is no id is refused, not mended. */
const toKey = (resource: Resource, { id, slug, time }: KeyRow): RecordKey => ({
  id,
  slug: toText(slug),
  ms: resource === 'posts' || resource === 'pages' ? readTime(time) : 0,
});

const readTime = (stored: unknown): number =>
  parseStoredTime(spellBytes(stored) as string | number | null) ?? 0;
