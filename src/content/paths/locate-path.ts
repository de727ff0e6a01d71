// Address -> the list, record or file that it names, whatever its query asks: the one reading of paths that the companion
// server, host rules and edge workers share. Pure and runtime-neutral: no Node, no URL class, and written so that the oldest
// of the edge runtimes can run it. Only addresses of the endpoint table are answered; anything else is null.

import { isBlob, PACKED_ROOT_FILE } from '../tree/names.ts';
import { type Address, parseAddress } from './address.ts';
import { contentPath } from './content-path.ts';
import type { Resource } from './endpoints.ts';
import {
  idFolder,
  SEARCHED,
  SETTINGS_FILE,
  type SearchedResource,
  searchFile,
  slugFolder,
  TIERS_FILE,
} from './files.ts';
import { composed, isPlainSegment } from './plain-segment.ts';

export type Located =
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'list'; readonly resource: Resource }
  /** With the folder of its files. */
  | { readonly kind: 'record'; readonly resource: Resource; readonly folder: string };

export type LocateOptions = {
  /** Path before `/content`, without a trailing slash; may be empty. */
  readonly basePath: string;
  /** Segment of a slug that does not stand as it is, or undefined. */
  readonly storedSegment: (resource: Resource, slug: string) => string | undefined;
};

/** `rawPath` is canonical, still percent-encoded. A redirect's path is the given one with the slash that was missing. */
export const locate = (rawPath: string, options: LocateOptions): Located | null =>
  locateIn(rawPath, options.basePath, (resource, slug) => slugSegmentOf(resource, slug, options));

/** The segment that a slug is stored under; null: it names nothing. */
export type FindSegment = (resource: Resource, slug: string) => string | null;

/** The same where something else knows the segments. */
export const locateIn = (
  rawPath: string,
  basePath: string,
  segmentOf: FindSegment,
): Located | null => {
  const path = contentPath(rawPath, basePath);
  if (path === null) return null;
  if (path === PACKED_ROOT_FILE || isBlob(path)) return { kind: 'file', file: path };
  const isSlashed = path.slice(-1) === '/';
  const found = locateSlashed(isSlashed ? path : `${path}/`, segmentOf);
  if (found === null || isSlashed) return found;
  return { kind: 'redirect', path: `${rawPath}/` };
};

const locateSlashed = (path: string, segmentOf: FindSegment): Located | null => {
  if (path === 'settings/') return { kind: 'file', file: SETTINGS_FILE };
  if (path === 'tiers/') return { kind: 'file', file: TIERS_FILE };
  const names = path.split('/').slice(0, -1);
  if (names[0] === 'search-index') return searchIndex(names.slice(1));
  const address = parseAddress(path);
  if (address === null) return null;
  const resource = address.resource;
  if (address.kind === 'list') return { kind: 'list', resource: resource };
  const folder = recordFolder(address, segmentOf);
  return folder === null ? null : { kind: 'record', resource: resource, folder: folder };
};

const searchIndex = (names: readonly string[]): Located | null => {
  const name = names[0] || '';
  if (names.length !== 1 || !isSearched(name)) return null;
  return { kind: 'file', file: searchFile(name) };
};

const isSearched = (name: string): name is SearchedResource =>
  SEARCHED.indexOf(name as SearchedResource) !== -1;

const recordFolder = (
  address: Exclude<Address, { readonly kind: 'list' }>,
  segmentOf: FindSegment,
): string | null => {
  const resource = address.resource;
  if (address.kind === 'id') return idFolder(resource, address.id);
  const segment = segmentOf(resource, address.slug);
  return segment === null ? null : slugFolder(resource, segment);
};

const STORED = /^~[0-9a-f]{32}$/;

const slugSegmentOf = (resource: Resource, slug: string, options: LocateOptions): string | null => {
  const stored = options.storedSegment(resource, slug);
  if (stored !== undefined) return stored;
  const name = composed(slug);
  return isPlainSegment(name) || STORED.test(name) ? name : null;
};
