// The headers of each kind of answer, written out: the server and every host that can set headers send these.
import { expect } from 'vitest';
import type { Answer } from './ask.ts';

export type AnswerKind = 'document' | 'blob' | 'plain' | 'redirect' | 'absent';

const SHARED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Version, ETag',
  'content-version': 'v6.65',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Of pictures and files: a browser that opens one runs nothing of it. */
export const MEDIA_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; media-src 'self'; object-src 'self'; form-action 'none'; base-uri 'none'";

const CACHE: Readonly<Record<AnswerKind, string>> = {
  document: 'public, max-age=0, must-revalidate',
  blob: 'public, max-age=31536000, immutable',
  plain: 'public, max-age=0, must-revalidate',
  redirect: 'public, max-age=31536000',
  absent: 'public, max-age=10',
};

/** Answers of a host that it sends with other caching, with the reason. */
export type OtherCaching = Partial<Readonly<Record<AnswerKind, string>>>;

export const expectHeaders = (
  { headers }: Answer,
  kind: AnswerKind,
  otherCaching: OtherCaching = {},
): void => {
  const names = Object.keys(SHARED);
  expect(Object.fromEntries(names.map((name) => [name, headers[name]]))).toEqual(SHARED);
  const varies = (headers.vary ?? '').toLowerCase().split(/ *, */);
  expect(varies.filter((name) => name === 'accept-version')).toHaveLength(1);
  if (otherCaching[kind] === undefined) expect(headers['cache-control']).toBe(CACHE[kind]);
};

const VERSION = /^[^?]*\/ghost\/api\/(v2|v3|v4|canary)\/content(?:[/?]|$)/;

/** Addresses that name a version say that this is deprecated, whatever the answer. */
export const expectDeprecation = ({ headers }: Answer, path: string): void => {
  const [, version] = VERSION.exec(path) ?? [];
  expect(headers.deprecation).toBe(version === undefined ? undefined : `version="${version}"`);
};

/** A redirect and an answer for what is absent are not of a file. */
export const expectNoFile = ({ headers }: Answer): void => {
  expect([headers.etag, headers['last-modified']]).toEqual([undefined, undefined]);
};
