// Declared queries: those whose answers are files, for hosts that run no code (decisions, Queries). Their form, their
// names and the names of their files; the setting is read in config/declared-queries.ts, the files are written by
// builder/declared-lists.ts. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { Resource } from './endpoints.ts';
import type { ListPages } from './list-pages.ts';

/** Parameters of a declared query, in alphabetical order. `page` is none: each query has pages. */
export type DeclaredParameter = (typeof DECLARED_PARAMETERS)[number];

export const DECLARED_PARAMETERS = [
  'fields',
  'filter',
  'formats',
  'include',
  'limit',
  'order',
] as const;

export type DeclaredQuery = {
  readonly resource: Resource;
  /**
   * In normal form (queries/normal-query.ts): decoded, in alphabetical order, lists in alphabetical order, without
   * space in filters, and without what is a default. At least one. The filter of a pattern has `{slug}` once.
   */
  readonly parameters: readonly (readonly [name: DeclaredParameter, value: string])[];
  /** What `{slug}` in the filter stands for: the slug of each tag or author; null: there is none. */
  readonly pattern: 'tag' | 'author' | null;
  /** Pages that are files, at most; of `all`, the first one past the end is a file too. */
  readonly pages: ListPages;
  /** Of its folder, in small letters, digits, `-` and `_`; no other query of the resource has it. */
  readonly name: string;
};

export const SLUG_PATTERN = '{slug}';

/** In the place of a slug that no tag or author has; no slug is stored under this name. */
export const UNKNOWN_SEGMENT = '~';

/** Folder of all files of the declared queries of a resource. */
export const declaredFolder = (resource: Resource): string => `${resource}/q`;

/** One of a query's files. `page` counts from 1. */
export type DeclaredPlace = {
  readonly page: number;
  /** Of a pattern: the stored name of a slug, or UNKNOWN_SEGMENT for the answer that all others get; null: no pattern. */
  readonly segment: string | null;
};

/** File of one page, relative to the content folder. */
export const declaredFile = (
  query: Pick<DeclaredQuery, 'resource' | 'name'>,
  place: DeclaredPlace,
): string => {
  const folder = `${declaredFolder(query.resource)}/${query.name}`;
  const inner = place.segment === null ? folder : `${folder}/${place.segment}`;
  return `${inner}/${place.page === 1 ? 'index' : `page-${place.page}`}.json`;
};

const DECLARED_FILE =
  /^(posts|pages|tags|authors)\/q\/([a-z0-9_-]+)\/(?:([^/\0]+)\/)?(?:index|page-([1-9][0-9]*))\.json$/;

export type DeclaredFile = DeclaredPlace & Pick<DeclaredQuery, 'resource' | 'name'>;

/** Null for a file that is no declared query's. */
export const findDeclaredFile = (file: string): DeclaredFile | null => {
  const match = DECLARED_FILE.exec(file);
  const segment = match === null ? undefined : match[3];
  if (match === null || segment === '.' || segment === '..') return null;
  return {
    resource: match[1] as Resource,
    name: match[2] as string,
    segment: segment === undefined ? null : segment,
    page: match[4] === undefined ? 1 : Number(match[4]),
  };
};

/** Signs of the filter language, which end a word, a backslash would hide them; and signs that rules of hosts cannot name. */
const SIGN = /['"+,()><=[\]~\\\s]|[!#$&;@^`{}]/;
/** Words that mean something else. */
const OTHER_WORD = /^(?:null|NULL|Null|now[+-]\d+[smhdwMy])$/;

/**
 * True when a filter may have this text where a pattern has `{slug}`, without quotation marks, means the slug by it, and
 * every host can name its files. Other tags and authors have no files of patterns, and a query with another text is not declared.
 */
export const isPatternSlug = (text: string): boolean =>
  text !== '' && text.charAt(0) !== '-' && !SIGN.test(text) && !OTHER_WORD.test(text);

/** Longer ones are cut. */
const NAME_CHARACTERS_MAX = 80;

type Named = Pick<DeclaredQuery, 'parameters'>;

/**
 * Readable, such as `filter-tag-slug-limit-15`. A hash tells apart what would read the same, or is cut: all filters but
 * the two patterns, and values that are no plain words.
 */
export const declaredName = (query: Named): string => {
  const text = query.parameters.map((pair) => `${pair[0]}-${pair[1]}`).join('-');
  const readable = text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
  const isWhole = readable.length <= NAME_CHARACTERS_MAX && query.parameters.every(isPlain);
  if (isWhole) return readable;
  const cut = readable.slice(0, NAME_CHARACTERS_MAX - HASH_DIGITS - 1).replace(/-$/, '');
  return `${cut}-${hashOf(JSON.stringify(query.parameters))}`;
};

const PLAIN: Readonly<Record<DeclaredParameter, RegExp>> = {
  fields: /^[a-z0-9_]+(?:,[a-z0-9_]+)*$/,
  filter: /^(?:tag|author):\{slug\}$/,
  formats: /^[a-z]+(?:,[a-z]+)*$/,
  include: /^[a-z.]+(?:,[a-z.]+)*$/,
  limit: /^[0-9]+$/,
  order: /^[a-z_.]+ (?:asc|desc)(?:,[a-z_.]+ (?:asc|desc))*$/,
};
/** A field of such a name could be taken for a parameter. */
const PARAMETER = /(?:^|,)(?:filter|formats|include|limit|order)(?:,|$)/;

const isPlain = (pair: readonly [name: DeclaredParameter, value: string]): boolean =>
  PLAIN[pair[0]].test(pair[1]) && !PARAMETER.test(pair[1]);

const HASH_DIGITS = 8;

/** FNV-1a over UTF-16 units; multiplied in two halves, since not every runtime has Math.imul. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = ((hash & 0xffff) * 0x01000193 + ((((hash >>> 16) * 0x01000193) & 0xffff) << 16)) >>> 0;
  }
  return `0000000${hash.toString(16)}`.slice(-HASH_DIGITS);
};
