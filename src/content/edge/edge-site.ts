// What is put into edge code when it is bundled. Runtime-neutral, and written so that the oldest of the
// edge runtimes can run it.

import { decodeSegment } from '../paths/address.ts';
import { contentPath } from '../paths/content-path.ts';
import type { Resource } from '../paths/endpoints.ts';
import { GUARDED_FOLDERS } from '../paths/files.ts';

export type EdgeSite = {
  readonly basePath: string;
  /** Slugs that stand under another name: resource, slash, slug -> that name. */
  readonly names: Readonly<Record<string, string>>;
  readonly paged: readonly Resource[];
  /** SHA-256 of content keys in hexadecimal; null: no key is asked for. */
  readonly keyHashes: readonly string[] | null;
};

/** The path of a file as a request has it. */
export const encodeFile = (file: string): string =>
  file
    .split('/')
    .map((name) => encodeURIComponent(name))
    .join('/');

/** In a canonical path: an encoded slash is part of no name. */
const HOSTILE = /\/\/|%2F|%00/;
const DOTS = /\/\.\.?(?:\/|$)/;

/** Canonical paths that a store may read in another way: they are answered 404, whatever they name. */
export const isHostile = (path: string): boolean => HOSTILE.test(path) || DOTS.test(path);

/** What is no address of the interface as it is sent, but might be one to a store that tidies it up. */
export const isDisguised = (site: EdgeSite, path: string): boolean => {
  const decoded = decodeSegment(path);
  const dots = decoded === null || DOTS.test(decoded);
  const tidied = (decoded || path).replace(/\\/g, '/').replace(/\/+/g, '/');
  return contentPath(tidied, site.basePath) !== null || (dots && /content/i.test(tidied));
};

/** `rest` is what follows `/content/` in a canonical path. */
export const isGuarded = (site: EdgeSite, rest: string): boolean =>
  site.keyHashes !== null && isOfTree(rest);

/** Of documents and the packed tree. */
export const isOfTree = (rest: string): boolean =>
  GUARDED_FOLDERS.indexOf(rest.split('/')[0] || '') !== -1;

/** The address of the page about the interface, which some sites have. */
export const isExplorer = (site: EdgeSite, path: string): boolean =>
  path === `${site.basePath}/content/`;

/** `rest` where it may be the path of a plain file, else null: no name begins with a dot. */
export const plainFile = (rest: string): string | null =>
  /^$|\/$|%5C|(?:^|\/)\./.test(rest) ? null : rest;
