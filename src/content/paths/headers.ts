// The headers of each kind of answer, in one table: the companion server and the rules of every host that can set
// headers take them from here, so that a client sees no difference. Values are Ghost's where they mean the same for
// files. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { GHOST_VERSION } from '../contract/ghost-version.ts';
import { isBlob } from '../tree/names.ts';

/** Documents, and plain files below `/content`: kept, and asked for again each time; an unchanged one costs a 304. */
export const DOCUMENT_CACHE = 'public, max-age=0, must-revalidate';
/**
 * Caches that pass queries on say with this for how many seconds they may send an older answer while the companion server
 * is away. `60 nginx 1700000000.000`, with the time of its clock, asks for what nginx understands, `60` for RFC 5861.
 */
export const STALE_HEADER = 'X-Prepress-Stale';

/** Blobs of the packed tree: under their name they never change. */
export const BLOB_CACHE = 'public, max-age=31536000, immutable';
/** The same where the content key is checked: no cache that others share may keep them. */
const GUARDED_BLOB_CACHE = 'private, max-age=31536000, immutable';
/** What is not there may be there soon. */
export const NOT_FOUND_CACHE = 'public, max-age=10';
/** An address lacks its slash whatever is published under it. */
export const REDIRECT_CACHE = 'public, max-age=31536000';
/** Refusals and faults: the next request may be answered otherwise. */
export const REFUSED_CACHE = 'no-store';
/** What Cloudflare and Netlify forget answers by; and Fastly and Varnish, with spaces between. */
export const CACHE_TAG = 'Cache-Tag';
export const SURROGATE_KEY = 'Surrogate-Key';
/** HTML pages, which are no part of the interface. */
export const PAGE_CACHE = 'no-cache';
export const JSON_TYPE = 'application/json; charset=utf-8';
/** Blobs of text: lines of JSON. */
export const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Blobs of columns. */
export const BINARY_TYPE = 'application/octet-stream';

/** Cache-Control of a file of the tree, by its path in the content folder. */
export const cacheOf = (file: string, isGuarded: boolean): string => {
  if (!isBlob(file)) return DOCUMENT_CACHE;
  return isGuarded ? GUARDED_BLOB_CACHE : BLOB_CACHE;
};

/** Content-Type of a file of the tree; null for other files. */
export const treeType = (file: string): string | null => {
  if (file.slice(-5) === '.json') return JSON_TYPE;
  if (!isBlob(file)) return null;
  return file.slice(-4) === '.txt' ? TEXT_TYPE : BINARY_TYPE;
};

export const CONTENT_VERSION = `v${GHOST_VERSION}`;

export type Header = readonly [name: string, value: string];

/** As Ghost says on every answer, though what is answered is the same for all versions. */
export const VARY: Header = ['Vary', 'Accept-Version'];

/** Every answer below `/content`: any site may read it. */
export const SHARED_HEADERS: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'Content-Version, ETag'],
  ['Content-Version', CONTENT_VERSION],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['X-Content-Type-Options', 'nosniff'],
  VARY,
];

/**
 * Pictures and other files that editors bring: where one is a document (SVG, PDF, HTML), a browser that opens it runs
 * nothing of it, sends no form, and gives it no part in the origin.
 */
export const MEDIA_POLICY: Header = [
  'Content-Security-Policy',
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; media-src 'self'; object-src 'self'; form-action 'none'; base-uri 'none'",
];

/** HTML pages, and what lies beside them, on every origin. */
export const PAGE_HEADERS: readonly Header[] = [
  ['Cache-Control', PAGE_CACHE],
  ['X-Content-Type-Options', 'nosniff'],
];

/**
 * HTML pages on an origin that has the desk, whose key a script of a post must not reach. `scripts`: the digests, such
 * as `sha256-...`, of what may run. No folder is named, nor 'self': files of editors lie in the origin, too.
 */
export const pagePolicy = (scripts: readonly string[]): Header => [
  'Content-Security-Policy',
  `default-src 'none'; script-src ${scripts.length === 0 ? "'none'" : scripts.map((digest) => `'${digest}'`).join(' ')}; style-src 'self' 'unsafe-inline'; img-src * data:; media-src *; font-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-src 'none'; object-src 'none'; worker-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
];

/** Where those are, below the content folder: the pattern of a path's beginning. */
export const MEDIA_FOLDERS = '(?:images|media|files)/';

export const isMedia = (file: string): boolean => /^(?:images|media|files)\//.test(file);

/** Addresses that name a version of the interface say so. */
export const deprecation = (version: string): Header => ['Deprecation', `version="${version}"`];

/**
 * Where rules know no request: what Ghost's clients send by name, and the star for the rest, which browsers do not take
 * for Authorization.
 */
const ALLOWED_HEADERS =
  'Accept-Version, Authorization, Cache-Control, Content-Type, If-None-Match, Range, User-Agent, *';

/** The answer to a preflight. `asked`: its Access-Control-Request-Headers, as the host names it. Any header may come. */
export const preflightHeaders = (asked?: string): readonly Header[] => [
  ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
  ['Access-Control-Allow-Headers', asked || ALLOWED_HEADERS],
  ['Access-Control-Max-Age', '86400'],
];

/** The same where nothing of the request can be said again. */
export const PREFLIGHT_HEADERS = preflightHeaders();
