// The case suite: holds a host to the list, one test for each request, and to what the list cannot say
// (a body that the client has is not sent again).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Resource } from '../../src/paths/endpoints.ts';
import { keptVariant } from '../../src/paths/selection.ts';
import type { Encoding } from '../../src/paths/sidecars.ts';
import type { Answer, Ask } from './ask.ts';
import { checkEncodings } from './check-encodings.ts';
import { REQUESTS, type Request } from './conformance.ts';
import {
  expectDeprecation,
  expectHeaders,
  expectNoFile,
  MEDIA_POLICY,
  type OtherCaching,
} from './expected-headers.ts';
import type { MatrixSite } from './site.ts';

export type HostUnderTest = { readonly site: MatrixSite; readonly ask: Ask };

type CheckOptions = {
  /** What this host answers instead, where that is known; null: nothing that can be said. */
  readonly adapt?: (request: Request) => Request | null;
  /** Why it sends a body again to whom has it. */
  readonly sendsAgain?: string;
  /** Requests that this host cannot answer so, with the reason. */
  readonly exceptions?: (request: Request) => string | null;
  readonly otherCaching?: OtherCaching;
  /** What its headers cannot say as the server does. */
  readonly missingHeaders?: readonly ('deprecation' | 'no file' | 'relative location')[];
  /** What it sends of documents that lie compressed. */
  readonly sends?: readonly Encoding[];
  /** It answers every query, and what has no file (queries are tried elsewhere). */
  readonly answersAll?: boolean;
};

const ASKS_MORE = /posts\/\?limit=5|filter=(?:tag:|visibility:internal)|page=9999|page=x/;

/** `get` gives the running host; it is called inside of tests only. */
export const checkHost = (get: () => HostUnderTest, options: CheckOptions = {}): void => {
  const { exceptions, adapt = (asked) => asked, sendsAgain, sends = [] } = options;
  if (sends.length > 0) checkEncodings(get, sends);
  describe.each(['every', 'decoding'] as const)('%s', (column) => {
    const requests = REQUESTS.filter((asked) => asked.column === column).flatMap(
      (asked) => adapt(asked) ?? [],
    );
    for (const request of requests) {
      const { method, path, expected } = request;
      const isQuery = options.answersAll === true && ASKS_MORE.test(path);
      const reason = isQuery ? 'the host answers queries' : (exceptions?.(request) ?? null);
      const name = `${method} ${path.length > 90 ? `${path.slice(0, 90)}...` : path} is ${expected.kind}`;
      if (reason !== null)
        test(`${name}, but not here: ${reason}`, () => checkCalm(get(), request));
      else test(name, () => checkRequest(get(), request, options));
    }
  });
  const addresses = ['/content/posts/?include=tags', '/content/posts/slug/welcome/'];
  if (sendsAgain !== undefined) {
    test.each(addresses)(`%s is sent again to whom has it: ${sendsAgain}`, async (address) => {
      const { ask, site } = get();
      const headers = { 'if-none-match': '"other"' };
      expect((await ask({ path: `${site.basePath}${address}`, headers })).status).toBe(200);
    });
  } else {
    test.each(addresses)('%s is not sent again to whom has it', (address) =>
      checkUnchanged(get(), address),
    );
  }
};

const checkUnchanged = async ({ ask, site }: HostUnderTest, address: string): Promise<void> => {
  const path = `${site.basePath}${address}`;
  const first = await ask({ path });
  const etag = first.headers.etag ?? '';
  expect(etag).toMatch(/^(?:W\/)?".+"$/);
  const again = await ask({ path, headers: { 'if-none-match': etag } });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expectHeaders(again, 'document');
  const other = await ask({ path, headers: { 'if-none-match': '"other"' } });
  expect(other.status).toBe(200);
};

/** Throws when the host does not answer as the list has it. */
export const checkRequest = async (
  { site, ask }: HostUnderTest,
  request: Request,
  options: Pick<CheckOptions, 'otherCaching' | 'missingHeaders' | 'answersAll'> = {},
): Promise<void> => {
  const { otherCaching, missingHeaders = [], answersAll = false } = options;
  const withNames = (text: string): string =>
    text.replace(/\{([^}]+)\}/g, (_, slug: string) => site.segmentOf(slug));
  const based = (path: string): string => path.replace(/^\/content/, `${site.basePath}/content`);
  const answer = await ask({ method: request.method, path: based(withNames(request.path)) });
  const { expected, method } = request;
  if (expected.kind === 'refused') return checkRefused(answer);
  if (expected.kind === 'harmless') {
    expect([301, 400, 404]).toContain(answer.status);
    expect(answer.headers['x-injected']).toBeUndefined();
    return;
  }
  if (!missingHeaders.includes('deprecation')) expectDeprecation(answer, request.path);
  if (expected.kind === 'preflight') return checkPreflight(answer);
  if (!missingHeaders.includes('no file') && /^(?:redirect|absent)$/.test(expected.kind))
    expectNoFile(answer);
  expectHeaders(answer, expected.kind, otherCaching);
  if (expected.kind === 'redirect') {
    const isRelative = !missingHeaders.includes('relative location');
    return checkRedirect(answer, { to: based(expected.to), isRelative });
  }
  if (expected.kind === 'plain' || expected.kind === 'blob') {
    expect(answer.status).toBe(200);
    const type = answer.headers['content-type']?.toLowerCase();
    const policy = answer.headers['content-security-policy'];
    expect(policy).toBe(expected.kind === 'plain' ? MEDIA_POLICY : undefined);
    if (expected.kind === 'plain') expect(type).toMatch(expected.type);
    else expect(type).toBe(expected.type);
    expect(answer.body.equals(readFileSync(join(site.content, expected.file)))).toBe(true);
    return;
  }
  const isThere = expected.kind === 'document';
  const named = isThere ? withNames(expected.file) : '404.json';
  const file = answersAll ? named : sentFile(site, named);
  const bytes = method === 'HEAD' ? '' : readFileSync(join(site.content, file), 'utf8');
  expect(answer.status).toBe(isThere ? 200 : 404);
  const isSame = answer.body.toString() === bytes;
  expect(isSame, `${file} was asked for, not ${answer.body.toString().slice(0, 200)}`).toBe(true);
  expect(answer.headers['content-type']?.toLowerCase()).toBe('application/json; charset=utf-8');
  checkCache(answer, isThere);
};

const RECORD = /^(posts|pages|tags|authors)(\/(?:[0-9a-f]{24}|slug\/[^/]+)\/)([a-z-]+)\.json$/;

/** The file that is sent for the one asked for, where a host gets fewer. */
const sentFile = ({ selection }: MatrixSite, file: string): string => {
  const [, resource, folder = '', variant = ''] = RECORD.exec(file) ?? [];
  return resource === undefined
    ? file
    : `${resource}${folder}${keptVariant(resource as Resource, variant, selection.variants)}.json`;
};

/** What a host cannot answer as it should, it answers in another way that does no harm. */
const checkCalm = async ({ site, ask }: HostUnderTest, request: Request): Promise<void> => {
  const path = request.path.replace(/^\/content/, `${site.basePath}/content`);
  expect((await ask({ method: request.method, path })).status).toBeLessThan(500);
};

const checkCache = ({ headers }: Answer, isThere: boolean): void => {
  const cache = headers['cache-control'] ?? '';
  if (isThere) expect(cache).toMatch(/^public, max-age=0/);
  else {
    const maxAge = Number(/max-age=(\d+)/.exec(cache)?.[1] ?? (/no-/.test(cache) ? 0 : 999));
    expect(maxAge).toBeLessThanOrEqual(60);
  }
};

/** A server behind another one must not name the address that it has there. */
const checkRedirect = (
  { status, headers }: Answer,
  { to, isRelative }: { readonly to: string; readonly isRelative: boolean },
): void => {
  expect(status).toBe(301);
  const { location = '' } = headers;
  expect(isRelative ? location : location.replace(/^http:\/\/[^/]+/, '')).toBe(to);
};

const checkPreflight = ({ status, headers }: Answer): void => {
  expect([200, 204]).toContain(status);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-headers']).toMatch(/Accept-Version/i);
  expect(headers['access-control-allow-methods']).toMatch(/GET/);
  expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
};

const checkRefused = ({ status, body }: Answer): void => {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body.toString()).not.toContain('SQLite format');
};
