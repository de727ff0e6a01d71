// The routes for Vercel, played by what its documentation says of phases: no program of Vercel's answers
// requests without its network. Its own package checks their syntax. Whether values of a query are compared
// as they were sent or decoded is not documented, so both are tried.
import { createHash } from 'node:crypto';
import { normalizeRoutes } from '@vercel/routing-utils';
import { describe, expect, test } from 'vitest';
import type { HostSite } from '../../src/hosts/host.ts';
import { otherQueryFiles } from '../../src/hosts/other-queries.ts';
import { countRoutes, vercelFiles } from '../../src/hosts/vercel/files.ts';
import { middlewareFiles } from '../../src/hosts/vercel/middleware.ts';
import { type Answer, type Ask, type Asked, askAt } from './ask.ts';
import { hostTrials } from './check-host.ts';
import { listTrials, type Mode, otherQueriesOf, type RuleHost } from './check-lists.ts';
import { holdPages } from './check-pages.ts';
import type { RunningCompanion } from './companion-process.ts';
import type * as conformance from './conformance.ts';
import { fileAt } from './file-at.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { buildListSite, listSiteQueries } from './list-site.ts';
import { placeFiles } from './place-files.ts';
import { rawByteExceptions, rawPathExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

type Route = {
  readonly src: string;
  readonly handle?: string;
  readonly dest?: string;
  readonly methods?: readonly string[];
  readonly has?: readonly { key: string; value: string }[];
  readonly missing?: readonly { key: string; value: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly continue?: boolean;
  readonly middlewarePath?: string;
};

const routesOf = (site: MatrixSite, hostSite: Partial<HostSite> = {}): Route[] =>
  (JSON.parse(vercelFiles(hostSiteOf(site, hostSite))[0]?.text ?? '') as { routes: Route[] })
    .routes;

/** The routes up to the first `handle`, or those after one. */
const phase = (routes: readonly Route[], handle: string | null): Route[] => {
  const start = routes.findIndex((route) => route.handle === handle) + 1;
  const rest = routes.slice(start);
  const end = rest.findIndex((route) => route.handle !== undefined);
  return end === -1 ? rest : rest.slice(0, end);
};

const parse = (query: string, isDecoded: boolean): Map<string, string> =>
  new Map(
    query.split('&').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      const text = value.join('=');
      return [name, isDecoded ? decoded(text) : text];
    }),
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

type Middleware = (request: Request) => Response;

/** With the address as it was sent, whatever a program would make of it. */
const requestOf = (address: string, method: string): Request =>
  ({ url: `https://site.test${address}`, method }) as Request;

const loadMiddleware = async (site: HostSite): Promise<Middleware | null> => {
  const code = (await middlewareFiles(site)).find(({ path }) => path.endsWith('.js'));
  if (code === undefined) return null;
  const url = `data:text/javascript,${encodeURIComponent(code.text)}`;
  return ((await import(url)) as { default: Middleware }).default;
};

type Match = { readonly route: Route; readonly groups: Record<string, string> };

const matchOf = (
  route: Route,
  asked: { method: string; path: string; query: ReadonlyMap<string, string> },
): Match | null => {
  if (route.methods !== undefined && !route.methods.includes(asked.method)) return null;
  const found = new RegExp(route.src).exec(asked.path);
  if (found === null) return null;
  const groups: Record<string, string> = Object.fromEntries(found.entries());
  for (const { key, value } of route.has ?? []) {
    const held = new RegExp(`^${value}$`).exec(asked.query.get(key) ?? '\0');
    if (held === null) return null;
    Object.assign(groups, held.groups);
  }
  for (const { key, value } of route.missing ?? []) {
    const found = asked.query.get(key);
    if (found !== undefined && new RegExp(`^${value}$`).test(found)) return null;
  }
  return { route, groups };
};

const filled = (text: string, groups: Record<string, string>): string =>
  text.replace(/\$(\w+)/g, (_, name: string) => groups[name] ?? '');

const lower = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The query goes along. */
const askElsewhere = (dest: string, query: string): Promise<Answer> => {
  const { port, pathname } = new URL(dest);
  return askAt(Number(port))({ path: `${pathname}?${query}` });
};

type Player = {
  readonly routes: readonly Route[];
  readonly isDecoded: boolean;
  readonly middleware?: Middleware | null;
};

/** Vercel's own, by the ends of names. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};

const play = (site: MatrixSite, { routes, isDecoded, middleware = null }: Player): Ask => {
  /** The middleware runs once. */
  const askRewritten = (url: string, given: Omit<Asked, 'path'>): Promise<Answer> => {
    const { origin, pathname, search } = new URL(url);
    return origin === new URL(requestOf('/', 'GET').url).origin
      ? play(site, { routes, isDecoded })({ ...given, path: `${pathname}${search}` })
      : askElsewhere(url, search.slice(1));
  };
  return async ({ method = 'GET', path: address, headers: sent = {} }: Asked): Promise<Answer> => {
    const [path = '', query = ''] = address.split('?');
    const asked = { method, path, query: parse(query, isDecoded) };
    let headers: Record<string, string> = {};
    const answer = (status: number, body: Buffer = Buffer.alloc(0)): Answer => {
      const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
      if (status === 200) headers = { ...headers, etag };
      if (status === 200 && sent['if-none-match'] === etag)
        return { status: 304, headers, body: Buffer.alloc(0) };
      return { status, headers, body: method === 'HEAD' ? Buffer.alloc(0) : body };
    };
    const sendFile = (name: string, status = 200): Answer => {
      const body = fileAt(site, name);
      if (body === null || !/^(?:GET|HEAD)$/.test(method)) return fail();
      const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/json; charset=utf-8';
      headers = { 'content-type': type, ...headers };
      for (const route of phase(routes, 'hit')) {
        const hit = matchOf(route, { ...asked, path: name });
        if (hit !== null && status === 200) headers = { ...headers, ...lower(route.headers) };
      }
      return answer(status, body);
    };
    const fail = (): Answer => {
      const [match] = phase(routes, 'error').flatMap((route) => matchOf(route, asked) ?? []);
      headers = { ...headers, ...lower(match?.route.headers) };
      return answer(match?.route.status ?? 404, fileAt(site, match?.route.dest ?? '') ?? undefined);
    };
    const walk = async (group: readonly Route[]): Promise<Answer | null> => {
      for (const route of group) {
        const match = matchOf(route, asked);
        if (match === null) continue;
        const own = Object.entries(lower(route.headers));
        const given = own.map(([name, value]) => [name, filled(value, match.groups)]);
        headers = { ...headers, ...Object.fromEntries(given) };
        if (route.middlewarePath !== undefined && middleware !== null) {
          const said = middleware(requestOf(address, method));
          const rewritten = said.headers.get('x-middleware-rewrite');
          if (rewritten !== null) return askRewritten(rewritten, { method, headers: sent });
          if (said.headers.get('x-middleware-next') !== '1') {
            headers = { ...headers, ...Object.fromEntries(said.headers) };
            return answer(said.status, Buffer.from(await said.arrayBuffer()));
          }
        }
        if (route.continue === true) continue;
        if (route.dest?.startsWith('http') === true) return askElsewhere(route.dest, query);
        if (route.dest !== undefined)
          return sendFile(filled(route.dest, match.groups), route.status);
        // Redirects take the query with them.
        const { location } = headers;
        if (location !== undefined && query !== '')
          headers = { ...headers, location: `${location}?${query}` };
        return answer(route.status ?? 200);
      }
      return null;
    };
    const first = await walk(phase(routes, null));
    if (first !== null) return first;
    const name = path.endsWith('/') ? `${path}index.html` : path;
    if (fileAt(site, name) !== null) return sendFile(name);
    return (await walk(phase(routes, 'filesystem'))) ?? fail();
  };
};

const exceptions = (request: conformance.Request): string | null =>
  /%69nclude|include=.*&include=/.test(request.path)
    ? 'names of parameters are taken as they are, and one of a repeated one counts'
    : request.path === '/content'
      ? 'its rules are of what lies below'
      : (rawByteExceptions(request) ?? rawPathExceptions(request));

describe('routes of Vercel', () => {
  const start = (isDecoded: boolean) => (site: MatrixSite) => ({
    ask: play(site, { routes: routesOf(site), isDecoded }),
  });
  const hosts = startHosts([
    { title: 'values decoded', start: start(true) },
    { title: 'values as they were sent', basePath: '/blog', start: start(false) },
  ]);

  test('documents and addresses', () =>
    holdAll(hosts().flatMap((host) => hostTrials(host, { exceptions }))));

  test('pages for readers', () => holdPages(hosts(), { isPlayed: true }));

  test('are routes to their own package, and fewer than it takes', () => {
    for (const { site } of hosts()) {
      const routes = routesOf(site);
      expect(normalizeRoutes(routes as never).error).toBeNull();
      expect(countRoutes(vercelFiles(hostSiteOf(site)))).toBeLessThan(200);
      for (const { src = '' } of routes) expect(src.length).toBeLessThanOrEqual(4_096);
    }
  });
});

describe('routes of Vercel that are told what to do with other queries', () => {
  const start =
    (mode: Mode, isDecoded: boolean) =>
    async (site: MatrixSite, companion: () => Promise<RunningCompanion>) => {
      const { port } = await companion();
      const hostSite = listSiteQueries(otherQueriesOf(mode, port));
      placeFiles(site.output, otherQueryFiles(hostSiteOf(site, hostSite)));
      const routes = routesOf(site, hostSite);
      const middleware = await loadMiddleware(hostSiteOf(site, hostSite));
      const ask = play(site, { routes, isDecoded, middleware });
      return { ask, mode, companion: askAt(port) };
    };
  const hosts = startHosts(
    [
      { title: 'refuse, decoded', start: start('refuse', true) },
      { title: 'refuse, as sent', start: start('refuse', false) },
      { title: 'ignore, decoded', start: start('ignore', true) },
      { title: 'pass on, decoded', start: start('pass on', true) },
    ],
    buildListSite,
  );

  test('default lists and records', () => {
    // Without the middleware, routes read one of a repeated parameter.
    const isRead = ({ mode }: RuleHost, { request }: Trial): boolean =>
      mode !== 'ignore' || !/include.*include/.test(request);
    return holdAll(
      hosts().flatMap((host) => listTrials(host).filter((trial) => isRead(host, trial))),
    );
  });

  test('are routes to their own package, and fewer than it takes', () => {
    for (const { site, mode } of hosts()) {
      const routes = routesOf(site, listSiteQueries(otherQueriesOf(mode, 1)));
      expect(normalizeRoutes(routes as never).error).toBeNull();
      expect(routes.length).toBeLessThan(600);
      for (const { has = [], missing = [] } of routes)
        for (const { value } of [...has, ...missing]) expect(value.length).toBeLessThan(4_096);
    }
  });
});
