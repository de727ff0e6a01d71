// Which files a database must give, worked out from its rows and from the table of decisions (Files)
// alone: nothing of the program decides here.
import { createHash } from 'node:crypto';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';

export type ResourceName = 'posts' | 'pages' | 'tags' | 'authors';

export type ExpectedFile = {
  readonly resource: ResourceName | 'settings';
  /** Name of the include variant. */
  readonly variant: string;
  /** Ids of the records, in order. */
  readonly ids: readonly string[];
  /** Null in single reads. */
  readonly pagination: Readonly<Record<string, unknown>> | null;
  /** The file by slug that is the same file as this one by id. */
  readonly bySlug: string | null;
};

type ExpectedOptions = {
  /** Records in each page of a list. */
  readonly listMax?: number;
  /** Slugs that cannot stand as they are. */
  readonly storedSlugs?: ReadonlySet<string>;
};

type Row = {
  readonly id: string;
  readonly slug: string;
  readonly sort: string | number;
  readonly isPublic: number;
};

const POST_VARIANTS = ['index', 'authors', 'tags', 'authors-tags'];
const COUNTED = ['index', 'count-posts'];

/** List variants with the record variant that each lists, and whether only public records are. */
const LISTS: Readonly<Record<ResourceName, readonly (readonly [string, string, boolean])[]>> = {
  posts: POST_VARIANTS.map((name) => [name, name, false] as const),
  pages: POST_VARIANTS.map((name) => [name, name, false] as const),
  tags: [
    ...COUNTED.map((name) => [name, name, false] as const),
    ['public', 'index', true],
    ['public-count-posts', 'count-posts', true],
  ],
  authors: COUNTED.map((name) => [name, name, false] as const),
};

const RECORDS: Readonly<Record<ResourceName, readonly string[]>> = {
  posts: POST_VARIANTS,
  pages: POST_VARIANTS,
  tags: COUNTED,
  authors: COUNTED,
};

export const RESOURCE_NAMES = Object.keys(LISTS) as ResourceName[];

/** Not e-mail only: a post without a meta row, or with a flag that is plainly false. */
const ON_THE_WEB = `status = 'published' AND id NOT IN (SELECT post_id FROM posts_meta
  WHERE email_only IS NULL OR lower(hex(email_only)) NOT IN ('30', lower(hex('false'))))`;

const shown = (type: string): string =>
  `SELECT id, slug, ${type === 'post' ? 'published_at' : 'title'} AS sort, 1 AS isPublic
   FROM posts WHERE ${ON_THE_WEB} AND type = '${type}'`;

const linked = (table: string, pivot: string, column: string): string =>
  `SELECT id, slug, name AS sort, visibility = 'public' AS isPublic FROM ${table} WHERE id IN
   (SELECT ${column} FROM ${pivot} WHERE post_id IN (SELECT id FROM posts WHERE ${ON_THE_WEB}))`;

const QUERIES: Readonly<Record<ResourceName, string>> = {
  posts: shown('post'),
  pages: shown('page'),
  tags: linked('tags', 'posts_tags', 'tag_id'),
  authors: linked('users', 'posts_authors', 'author_id'),
};

const collator = new Intl.Collator('en');

const instantOf = (stored: string | number): number =>
  typeof stored === 'number'
    ? stored
    : Date.parse(stored.includes('T') ? stored : `${stored.replace(' ', 'T')}Z`);

const newestFirst = (a: Row, b: Row): number =>
  instantOf(b.sort) - instantOf(a.sort) || (a.id < b.id ? 1 : -1);

const byText = (a: Row, b: Row): number =>
  collator.compare(String(a.sort), String(b.sort)) || (a.id < b.id ? -1 : 1);

/** The records that are shown, in the order of their lists. */
export const listRecords = (shell: SqliteConnection, resource: ResourceName): Row[] =>
  (shell.prepare(QUERIES[resource]).all() as Row[]).sort(
    resource === 'posts' ? newestFirst : byText,
  );

/** `~` and 32 hex digits of the SHA-256 of a slug that cannot stand as it is. */
export const storedName = (slug: string): string =>
  `~${createHash('sha256').update(slug, 'utf8').digest('hex').slice(0, 32)}`;

/** Every file with documents in it, by its path in the content folder. */
export const expectedFiles = (
  shell: SqliteConnection,
  { listMax = 1_000, storedSlugs = new Set() }: ExpectedOptions = {},
): Map<string, ExpectedFile> => {
  const single = { pagination: null, bySlug: null };
  const files = new Map<string, ExpectedFile>([
    ['settings/index.json', { resource: 'settings', variant: 'index', ids: [], ...single }],
  ]);
  for (const resource of RESOURCE_NAMES) {
    const records = listRecords(shell, resource);
    for (const { id, slug } of records) {
      const segment = storedSlugs.has(slug) ? storedName(slug) : slug.normalize('NFC');
      for (const variant of RECORDS[resource]) {
        const bySlug = `${resource}/slug/${segment}/${variant}.json`;
        const file = { resource, variant, ids: [id], pagination: null };
        files.set(`${resource}/${id}/${variant}.json`, { ...file, bySlug });
        files.set(bySlug, { ...file, bySlug: null });
      }
    }
    for (const [name, variant, publicOnly] of LISTS[resource]) {
      const listed = records.filter(({ isPublic }) => isPublic === 1 || !publicOnly);
      for (const [file, page] of pagesOf({ resource, name, limit: listMax }, listed)) {
        files.set(file, { resource, variant, bySlug: null, ...page });
      }
    }
  }
  return files;
};

type List = {
  readonly resource: ResourceName;
  readonly name: string;
  readonly limit: number;
};

const pagesOf = (
  { resource, name, limit }: List,
  listed: readonly Row[],
): [string, Pick<ExpectedFile, 'ids' | 'pagination'>][] => {
  const total = listed.length;
  const pages = Math.max(1, Math.ceil(total / limit));
  // The page after the last one is a file, too.
  return Array.from({ length: pages + 1 }, (_, at) => {
    const page = at + 1;
    const suffix = name === 'index' ? '' : `-${name}`;
    const file = page === 1 ? `${name}.json` : `page-${page}${suffix}.json`;
    const next = page < pages ? page + 1 : null;
    const prev = page > 1 ? page - 1 : null;
    const pagination = { page, limit, pages, total, next, prev };
    const ids = listed.slice(at * limit, page * limit).map(({ id }) => id);
    return [`${resource}/${file}`, { ids, pagination }];
  });
};
