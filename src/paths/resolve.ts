// Address -> file: the one reading of paths and queries that the companion server, host rules and edge
// workers share. Pure and runtime-neutral: no Node, no URL class, and written so that the oldest of the
// edge runtimes can run it. Only addresses of the endpoint table are answered; anything else is null.

import { type Address, parseAddress } from '../base/address.ts';
import { isBlob, PACKED_ROOT_FILE } from '../base/packed-names.ts';
import { QUERY_SHAPES, type Resource, variantName } from './endpoints.ts';
import {
  fileIn,
  idFolder,
  listFile,
  SEARCHED,
  SETTINGS_FILE,
  type SearchedResource,
  searchFile,
  slugFolder,
} from './files.ts';
import { composed, isPlainSegment } from './plain-segment.ts';
import { parsePage, parseQuery } from './query.ts';

export type Resolution =
  | { readonly kind: 'file'; readonly file: string; readonly list: Resource | null }
  | { readonly kind: 'redirect'; readonly path: string };

export type ResolveOptions = {
  /** Path before `/content`, without a trailing slash; may be empty. */
  readonly basePath: string;
  /** Segment of a slug that does not stand as it is, or undefined. */
  readonly storedSegment: (resource: Resource, slug: string) => string | undefined;
  /** Lists that are kept in pages, of which `page=N` asks for one. Absent: `page` means nothing here. */
  readonly isPaged?: (resource: Resource) => boolean;
  /** The record variant that is sent for the one asked for. Absent: that one. */
  readonly sentVariant?: (resource: Resource, variant: string) => string;
};

const ALIAS = /^\/ghost\/api(?:\/(v2|v3|v4|canary))?(?=\/content(?:\/|$))/;

/**
 * Resolves a canonical path (still percent-encoded) and raw query (without `?`). A redirect's path is the
 * given one with the slash that was missing; the caller appends the query.
 */
export const resolve = (
  rawPath: string,
  rawQuery: string,
  options: ResolveOptions,
): Resolution | null => {
  const path = contentPath(rawPath, options.basePath);
  if (path === null) return null;
  if (path === PACKED_ROOT_FILE || isBlob(path)) return { kind: 'file', file: path, list: null };
  const isSlashed = path.slice(-1) === '/';
  const found = resolveEndpoint(isSlashed ? path : `${path}/`, rawQuery, options);
  if (found === null || isSlashed) return found;
  return { kind: 'redirect', path: `${rawPath}/` };
};

/** The raw path after `/content/` of any of the prefixes that are answered, or null. */
export const contentPath = (rawPath: string, basePath: string): string | null => {
  const own = withoutBase(rawPath, basePath);
  const alias = ALIAS.exec(own);
  if (alias === null && own === rawPath && basePath !== '') return null;
  const rest = alias === null ? own : own.slice(alias[0].length);
  if (rest === '/content') return '';
  return rest.indexOf('/content/') === 0 ? rest.slice('/content/'.length) : null;
};

/** The version that a path of the interface names, such as `v4`, or null. */
export const versionOf = (rawPath: string, basePath: string): string | null => {
  const alias = ALIAS.exec(withoutBase(rawPath, basePath));
  return alias === null ? null : alias[1] || null;
};

const withoutBase = (rawPath: string, basePath: string): string =>
  basePath !== '' && rawPath.indexOf(`${basePath}/`) === 0
    ? rawPath.slice(basePath.length)
    : rawPath;

const resolveEndpoint = (
  path: string,
  rawQuery: string,
  options: ResolveOptions,
): Resolution | null => {
  if (path === 'settings/') return { kind: 'file', file: SETTINGS_FILE, list: null };
  const names = path.split('/').slice(0, -1);
  if (names[0] === 'search-index') return searchIndex(names.slice(1));
  const address = parseAddress(path);
  if (address === null) return null;
  const resource = address.resource;
  const shape = QUERY_SHAPES[resource];
  const query = parseQuery(rawQuery, shape);
  if (address.kind === 'list') {
    const token = query.isFiltered && shape.filter !== null ? shape.filter.token : null;
    const isPaged = options.isPaged?.(resource) === true;
    const page = isPaged ? parsePage(rawQuery) : 1;
    const file = listFile(resource, variantName(token, query.includes), page);
    return { kind: 'file', file: file, list: resource };
  }
  const folder = recordFolder(address, options);
  if (folder === null) return null;
  const variant = variantName(null, query.includes);
  const sent = options.sentVariant?.(resource, variant) || variant;
  return { kind: 'file', file: fileIn(folder, sent), list: null };
};

const searchIndex = (names: readonly string[]): Resolution | null => {
  const name = names[0] || '';
  if (names.length !== 1 || !isSearched(name)) return null;
  return { kind: 'file', file: searchFile(name), list: null };
};

const isSearched = (name: string): name is SearchedResource =>
  SEARCHED.indexOf(name as SearchedResource) !== -1;

const recordFolder = (
  address: Exclude<Address, { readonly kind: 'list' }>,
  options: ResolveOptions,
): string | null => {
  const resource = address.resource;
  if (address.kind === 'id') return idFolder(resource, address.id);
  const segment = slugSegmentOf(resource, address.slug, options);
  return segment === null ? null : slugFolder(resource, segment);
};

const STORED = /^~[0-9a-f]{32}$/;

const slugSegmentOf = (
  resource: Resource,
  slug: string,
  options: ResolveOptions,
): string | null => {
  const stored = options.storedSegment(resource, slug);
  if (stored !== undefined) return stored;
  const name = composed(slug);
  return isPlainSegment(name) || STORED.test(name) ? name : null;
};
