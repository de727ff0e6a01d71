// Address and query -> file, for hosts that send nothing but files: the function of CloudFront, and what is held against rules.
// Pure and runtime-neutral: no Node, no URL class, and written so that the oldest of the edge runtimes can run it.
import { QUERY_SHAPES, type Resource, variantName } from './endpoints.ts';
import { fileIn, listFile } from './files.ts';
import { type LocateOptions, locate } from './locate-path.ts';
import { parsePage, parseQuery } from './query.ts';

export type Resolution =
  | { readonly kind: 'file'; readonly file: string; readonly list: Resource | null }
  | { readonly kind: 'redirect'; readonly path: string };

export type ResolveOptions = LocateOptions & {
  /** Lists that are kept in pages, of which `page=N` asks for one. Absent: `page` means nothing here. */
  readonly isPaged?: (resource: Resource) => boolean;
  /** The record variant that is sent for the one asked for. Absent: that one. */
  readonly sentVariant?: (resource: Resource, variant: string) => string;
};

/**
 * Resolves a canonical path (still percent-encoded) and raw query (without `?`). A redirect's path is the
 * given one with the slash that was missing; the caller appends the query.
 */
export const resolve = (
  rawPath: string,
  rawQuery: string,
  options: ResolveOptions,
): Resolution | null => {
  const found = locate(rawPath, options);
  if (found === null || found.kind === 'redirect') return found;
  if (found.kind === 'file') return { kind: 'file', file: found.file, list: null };
  const resource = found.resource;
  const shape = QUERY_SHAPES[resource];
  const query = parseQuery(rawQuery, shape);
  if (found.kind === 'list') {
    const token = query.isFiltered && shape.filter !== null ? shape.filter.token : null;
    const isPaged = options.isPaged?.(resource) === true;
    const page = isPaged ? parsePage(rawQuery) : 1;
    const file = listFile(resource, variantName(token, query.includes), page);
    return { kind: 'file', file: file, list: resource };
  }
  const variant = variantName(null, query.includes);
  const sent = options.sentVariant?.(resource, variant) || variant;
  return { kind: 'file', file: fileIn(found.folder, sent), list: null };
};
