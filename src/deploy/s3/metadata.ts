// Metadata of objects: type and caching, by the end of their names.

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
};

/** Everything is asked for again each time: an unchanged object costs a 304. */
const CACHE = 'public, max-age=0, must-revalidate';

/** Copies of documents for readers without rules. */
const DOCUMENT_COPY =
  /(?:^|\/)content\/(?:(?:posts|pages|tags|authors)\/(?:[^/]+\/){0,2}|settings\/)index\.html$/;

const typeOf = (path: string): string | undefined =>
  DOCUMENT_COPY.test(path) ? TYPES.json : TYPES[path.split('.').at(-1)?.toLowerCase() ?? ''];

export const metadataOf = (path: string): { ContentType: string; CacheControl: string } => ({
  ContentType: typeOf(path) ?? 'application/octet-stream',
  CacheControl: path.endsWith('/404.json') ? 'public, max-age=10' : CACHE,
});
