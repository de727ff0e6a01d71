// Values of headers that every host sends, in one place. Runtime-neutral, and written so that the oldest of
// the edge runtimes can run it.

/** Documents: kept, and asked for again each time; an unchanged one costs a 304. */
export const DOCUMENT_CACHE = 'public, max-age=0, must-revalidate';
/** What is not there may be there soon. */
export const NOT_FOUND_CACHE = 'public, max-age=10';
export const REDIRECT_CACHE = 'public, max-age=3600';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Every answer below `/content`: any site may read it. */
export const SHARED_HEADERS: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'Content-Version, ETag'],
  ['Content-Version', 'v6.65'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** The answer to a preflight: clients send Accept-Version, for which browsers ask first. */
export const PREFLIGHT_HEADERS: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Accept-Version, Content-Type, If-None-Match, Range'],
  ['Access-Control-Max-Age', '86400'],
];
