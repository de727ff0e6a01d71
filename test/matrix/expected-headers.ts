// The headers of each kind of answer, written out: the server and every host that can set headers send these.
import type { Answer } from './ask.ts';
import type { Compare } from './trials.ts';

export type AnswerKind = 'document' | 'blob' | 'plain' | 'redirect' | 'absent';

const SHARED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Version, ETag',
  'content-version': 'v6.65',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Of pictures and files: a browser that opens one runs nothing of it, and gives it no part in the origin. */
export const MEDIA_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; media-src 'self'; object-src 'self'; form-action 'none'; base-uri 'none'";

const CACHE: Readonly<Record<AnswerKind, string>> = {
  document: 'public, max-age=0, must-revalidate',
  blob: 'public, max-age=31536000, immutable',
  plain: 'public, max-age=0, must-revalidate',
  redirect: 'public, max-age=31536000',
  absent: 'public, max-age=10',
};

/** Answers of a host that it sends with other caching, with the reason. */
export type OtherCaching = Partial<Readonly<Record<AnswerKind, string>>>;

export const compareHeaders = (
  compare: Compare,
  { headers }: Answer,
  {
    kind,
    otherCaching = {},
  }: { readonly kind: AnswerKind; readonly otherCaching?: OtherCaching | undefined },
): void => {
  for (const [name, value] of Object.entries(SHARED)) compare(name, headers[name], value);
  const varies = (headers.vary ?? '').toLowerCase().split(/ *, */);
  compare('vary', varies.filter((name) => name === 'accept-version').length, 1);
  if (otherCaching[kind] === undefined)
    compare('cache-control', headers['cache-control'], CACHE[kind]);
};

const VERSION = /^[^?]*\/ghost\/api\/(v2|v3|v4|canary)\/content(?:[/?]|$)/;

/** Addresses that name a version say that this is deprecated, whatever the answer. */
export const compareDeprecation = (compare: Compare, { headers }: Answer, path: string): void => {
  const [, version] = VERSION.exec(path) ?? [];
  const told = version === undefined ? undefined : `version="${version}"`;
  compare('deprecation', headers.deprecation, told);
};

/** A redirect and an answer for what is absent are not of a file. */
export const compareNoFile = (compare: Compare, { headers }: Answer): void => {
  const { etag, 'last-modified': modified } = headers;
  compare('headers of a file', [etag, modified], [undefined, undefined]);
};
