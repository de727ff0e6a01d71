// The case suite: holds hosts to the list, and to what the list cannot say (a body that the client has is not sent again).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Resource } from '../../src/content/paths/endpoints.ts';
import { keptVariant } from '../../src/content/paths/selection.ts';
import type { Answer } from './ask.ts';
import { REQUESTS, type Request } from './conformance.ts';
import {
  compareDeprecation,
  compareHeaders,
  compareNoFile,
  MEDIA_POLICY,
  type OtherCaching,
} from './expected-headers.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import type { MatrixSite } from './site.ts';
import type { Compare, Trial } from './trials.ts';

export type CheckOptions = {
  /** What this host answers instead, where that is known; null: nothing that can be said. */
  readonly adapt?: (request: Request) => Request | null;
  /** Why it sends a body again to whom has it. */
  readonly sendsAgain?: string;
  /** Requests that this host cannot answer so, with the reason. */
  readonly exceptions?: (request: Request) => string | null;
  readonly otherCaching?: OtherCaching;
  /** What its headers cannot say as the server does. */
  readonly missingHeaders?:
    | readonly ('deprecation' | 'no file' | 'relative location')[]
    | undefined;
  /** Documents come from `index.html` copies, in which markup is escaped. */
  readonly sendsCopies?: boolean;
  /** It answers every query, and what has no file (queries are tried elsewhere). */
  readonly answersAll?: boolean;
};

const ASKS_MORE = /posts\/\?limit=5|filter=(?:tag:|visibility:internal)|page=9999|page=x/;

/** The list, and two addresses of which the client has the body. */
export const hostTrials = (host: HostUnderTest, options: CheckOptions = {}): Trial[] => {
  const { exceptions, adapt = (asked) => asked, sendsAgain, answersAll = false } = options;
  const requests = REQUESTS.flatMap((asked) => adapt(asked) ?? []);
  const listed = requests.map((request) => {
    const isQuery = answersAll && ASKS_MORE.test(request.path);
    return isQuery || (exceptions?.(request) ?? null) !== null
      ? calmTrial(host, request)
      : requestTrial(host, request, options);
  });
  const known = ['/content/posts/?include=tags', '/content/posts/slug/welcome/'].map((path) =>
    knownTrial(host, path, sendsAgain !== undefined),
  );
  return [...listed, ...known];
};

/** The address on this host, of a path of the list. */
export const basedOn = ({ basePath, segmentOf }: MatrixSite, path: string): string =>
  path
    .replace(/^\/content/, `${basePath}/content`)
    .replace(/\{([^}]+)\}/g, (_, slug: string) => segmentOf(slug));

/** What a host cannot answer as it should, it answers in another way that does no harm. */
const calmTrial = ({ title, site, ask }: HostUnderTest, { method, path }: Request): Trial => ({
  host: title,
  request: `${method} ${path}`,
  hold: async (compare) => {
    const { status } = await ask({
      method,
      path: path.replace(/^\/content/, `${site.basePath}/content`),
    });
    compare('status, calmly', status < 500 || status, true);
  },
});

/** Who has the answer is sent no body, unless the host sends it again. */
export const knownTrial = (
  { title, site, ask }: HostUnderTest,
  address: string,
  isSentAgain: boolean,
): Trial => ({
  host: title,
  request: `GET ${address}, known`,
  hold: async (compare) => {
    const path = `${site.basePath}${address}`;
    const other = await ask({ path, headers: { 'if-none-match': '"other"' } });
    compare('status for another tag', other.status, 200);
    if (isSentAgain) return;
    const { headers } = await ask({ path });
    compare('etag', headers.etag, /^(?:W\/)?".+"$/);
    const again = await ask({ path, headers: { 'if-none-match': headers.etag ?? '' } });
    compare('status, bytes', [again.status, again.body.length], [304, 0]);
    compareHeaders(compare, again, { kind: 'document' });
  },
});

/** The host answers as the list has it. */
export const requestTrial = (
  { title, site, ask }: HostUnderTest,
  request: Request,
  options: CheckOptions = {},
): Trial => ({
  host: title,
  request: `${request.method} ${request.path}`,
  hold: async (compare) => {
    const { method, path } = request;
    holdAnswer(
      { site, request, options, compare },
      await ask({
        method,
        path: basedOn(site, path),
        headers: method === 'OPTIONS' ? PREFLIGHT : {},
      }),
    );
  },
});

type Held = {
  readonly site: MatrixSite;
  readonly request: Request;
  readonly options: CheckOptions;
  readonly compare: Compare;
};

const holdAnswer = (held: Held, answer: Answer): void => {
  const { site, request, options, compare } = held;
  const { missingHeaders = [], otherCaching } = options;
  const { status, headers, body } = answer;
  const { expected, path } = request;
  if (expected.kind === 'refused') {
    compare('status', status >= 400 && status < 500 ? '4xx' : status, '4xx');
    compare('body', body.includes('SQLite format'), false);
    return;
  }
  if (expected.kind === 'harmless') {
    compare('status', status, expect.toBeOneOf([301, 400, 404]));
    compare('x-injected', headers['x-injected'], undefined);
    return;
  }
  if (!missingHeaders.includes('deprecation')) compareDeprecation(compare, answer, path);
  if (expected.kind === 'preflight') {
    holdPreflight(compare, answer);
    return;
  }
  if (!missingHeaders.includes('no file') && /^(?:redirect|absent)$/.test(expected.kind))
    compareNoFile(compare, answer);
  compareHeaders(compare, answer, { kind: expected.kind, otherCaching });
  if (expected.kind === 'redirect') {
    const { location = '' } = headers;
    // A server behind another one must not name the address that it has there.
    const isRelative = !missingHeaders.includes('relative location');
    compare('status', status, 301);
    const told = isRelative ? location : location.replace(/^http:\/\/[^/]+/, '');
    compare('location', told, basedOn(site, expected.to));
    return;
  }
  if (expected.kind === 'plain' || expected.kind === 'blob') {
    const policy = headers['content-security-policy'];
    compare('status', status, 200);
    compare('policy', policy, expected.kind === 'plain' ? MEDIA_POLICY : undefined);
    compare('content-type', headers['content-type']?.toLowerCase(), expected.type);
    compare('body', body, readFileSync(join(site.content, expected.file)));
    return;
  }
  holdDocument(held, answer);
};

/** A copy's text as its source has it. */
export const unescaped = (text: string): string =>
  text.replace(/\\u(003c|003e|0026|2028|2029)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

const holdDocument = (held: Held, { status, headers, body }: Answer): void => {
  const { site, request, options, compare } = held;
  const { method, expected } = request;
  const isThere = expected.kind === 'document';
  const named = isThere ? basedOn(site, expected.file) : '404.json';
  const file = options.answersAll === true ? named : sentFile(site, named);
  compare('status', status, isThere ? 200 : 404);
  const bytes = method === 'HEAD' ? '' : readFileSync(join(site.content, file), 'utf8');
  const sent = options.sendsCopies === true ? unescaped(body.toString()) : body.toString();
  compare(`body of ${file}`, sent, bytes);
  compare(
    'content-type',
    headers['content-type']?.toLowerCase(),
    'application/json; charset=utf-8',
  );
  const cache = headers['cache-control'] ?? '';
  if (isThere) {
    compare('cache-control', cache, /^public, max-age=0/);
    return;
  }
  const maxAge = Number(/max-age=(\d+)/.exec(cache)?.[1] ?? (/no-/.test(cache) ? 0 : 999));
  compare('max-age up to 60', maxAge <= 60 || maxAge, true);
};

const RECORD = /^(posts|pages|tags|authors)(\/(?:[0-9a-f]{24}|slug\/[^/]+)\/)([a-z-]+)\.json$/;

/** The file that is sent for the one asked for, where a host gets fewer. */
const sentFile = ({ selection }: MatrixSite, file: string): string => {
  const [, resource, folder = '', variant = ''] = RECORD.exec(file) ?? [];
  return resource === undefined
    ? file
    : `${resource}${folder}${keptVariant(resource as Resource, variant, selection.variants)}.json`;
};

/** What a browser asks for Ghost's own client. */
const WANTED = 'accept-version, user-agent, authorization, cache-control, x-other';
const PREFLIGHT = {
  origin: 'https://elsewhere.test',
  'access-control-request-method': 'GET',
  'access-control-request-headers': WANTED,
};

const holdPreflight = (compare: Compare, { status, headers }: Answer): void => {
  compare('status', status, expect.toBeOneOf([200, 204]));
  compare('allow-origin', headers['access-control-allow-origin'], '*');
  // Where rules know no request, a star is for all but Authorization.
  const allowed = String(headers['access-control-allow-headers']).toLowerCase();
  const isStarred = allowed.includes('*') && allowed.includes('authorization');
  compare('allow-headers', isStarred ? WANTED : allowed, WANTED);
  compare('allow-methods', headers['access-control-allow-methods'], /GET/);
  compare('max-age above 0', Number(headers['access-control-max-age']) > 0, true);
};
