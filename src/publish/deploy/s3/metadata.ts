// Metadata of objects: type and caching, by the end of their names.
import {
  BLOB_CACHE,
  DOCUMENT_CACHE,
  JSON_TYPE,
  NOT_FOUND_CACHE,
} from '../../../content/paths/headers.ts';
import { isBlob } from '../../../content/tree/names.ts';

const TYPES: Readonly<Record<string, string>> = {
  json: JSON_TYPE,
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
  webm: 'video/webm',
  ogv: 'video/ogg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/** Copies of documents for readers without rules. */
const DOCUMENT_COPY =
  /(?:^|\/)content\/(?:(?:posts|pages|tags|authors)\/(?:[^/]+\/){0,2}|settings\/|tiers\/|search-index\/[a-z]+\/)index\.html$/;

const typeOf = (path: string): string | undefined =>
  DOCUMENT_COPY.test(path) ? TYPES.json : TYPES[path.split('.').at(-1)?.toLowerCase() ?? ''];

export const metadataOf = (path: string): { ContentType: string; CacheControl: string } => ({
  ContentType: typeOf(path) ?? 'application/octet-stream',
  CacheControl: cacheOf(path),
});

const BLOB = /(?:^|\/)content\/(packed\/[^/]+\/[^/]+)$/;

const cacheOf = (path: string): string => {
  if (/(?:^|\/)404[.](?:json|html)$/.test(path)) return NOT_FOUND_CACHE;
  return isBlob(BLOB.exec(path)?.[1] ?? '') ? BLOB_CACHE : DOCUMENT_CACHE;
};
