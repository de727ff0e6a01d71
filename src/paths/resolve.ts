// Address -> file: the one reading of paths and queries that the companion server, host rules and edge
// workers share. Pure and runtime-neutral: no Node, no URL class. Only addresses of the endpoint table
// are answered here; anything else is null.
import { type Resource, SHAPES, variantName } from './endpoints.ts';
import { fileIn, idFolder, SETTINGS_FILE, slugFolder } from './files.ts';
import { isPlainSegment } from './plain-segment.ts';
import { parseQuery } from './query.ts';

export type Resolution =
  | { readonly kind: 'file'; readonly file: string; readonly list: Resource | null }
  | { readonly kind: 'redirect'; readonly path: string };

type ResolveOptions = {
  /** Path before `/content`, without a trailing slash; may be empty. */
  readonly basePath: string;
  /** Segment of a slug that does not stand as it is, or undefined. */
  readonly storedSegment: (resource: Resource, slug: string) => string | undefined;
};

const ALIAS = /^\/ghost\/api(?:\/(?:v2|v3|v4|canary))?(?=\/content(?:\/|$))/;

/**
 * Resolves a raw path (still percent-encoded) and raw query (without `?`). A redirect's path is the
 * raw one with the slash that was missing; the caller appends the query.
 */
export const resolve = (
  rawPath: string,
  rawQuery: string,
  options: ResolveOptions,
): Resolution | null => {
  const path = withoutPrefix(rawPath, options.basePath);
  if (path === null) return null;
  const found = resolveEndpoint(path.endsWith('/') ? path : `${path}/`, rawQuery, options);
  if (found === null) return null;
  return path.endsWith('/') ? found : { kind: 'redirect', path: `${rawPath}/` };
};

/** The part after `/content/` of any of the prefixes that are answered, or null. */
const withoutPrefix = (rawPath: string, basePath: string): string | null => {
  const alias = ALIAS.exec(rawPath);
  const prefix = `${alias === null ? basePath : alias[0]}/content/`;
  return rawPath.startsWith(prefix) ? rawPath.slice(prefix.length) : null;
};

const ID = /^[0-9a-f]{24}$/;

const resolveEndpoint = (
  path: string,
  rawQuery: string,
  options: ResolveOptions,
): Resolution | null => {
  if (path === 'settings/') return { kind: 'file', file: SETTINGS_FILE, list: null };
  const [resource = '', ...rest] = path.split('/').slice(0, -1);
  if (!isResource(resource)) return null;
  const shape = SHAPES[resource];
  const { includes, isFiltered } = parseQuery(rawQuery, shape);
  if (rest.length === 0) {
    const filterToken = isFiltered && shape.filter !== null ? shape.filter.token : null;
    const file = fileIn(resource, variantName(filterToken, includes));
    return { kind: 'file', file, list: resource };
  }
  const folder = recordFolder(resource, rest, options);
  return folder === null
    ? null
    : { kind: 'file', file: fileIn(folder, variantName(null, includes)), list: null };
};

const isResource = (name: string): name is Resource => Object.hasOwn(SHAPES, name);

const recordFolder = (
  resource: Resource,
  rest: readonly string[],
  options: ResolveOptions,
): string | null => {
  const [first = '', second = ''] = rest;
  if (rest.length === 1) return ID.test(first) ? idFolder(resource, first) : null;
  if (rest.length !== 2 || first !== 'slug') return null;
  const segment = slugSegmentOf(resource, second, options);
  return segment === null ? null : slugFolder(resource, segment);
};

const STORED = /^~[0-9a-f]{32}$/;

const slugSegmentOf = (
  resource: Resource,
  rawSlug: string,
  { storedSegment }: ResolveOptions,
): string | null => {
  const slug = decodeSegment(rawSlug);
  if (slug === null) return null;
  const stored = storedSegment(resource, slug);
  if (stored !== undefined) return stored;
  const name = slug.normalize('NFC');
  return isPlainSegment(name) || STORED.test(name) ? name : null;
};

const decodeSegment = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
