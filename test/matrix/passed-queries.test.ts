// Caches that pass queries on to a companion server: they ask it again each time, send an older answer for a while when it is
// away, and never one that another content key was given.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { knowsTag } from '../../src/content/paths/entity-tags.ts';
import { variablesOf } from '../../src/publish/hosts/nginx/variables.ts';
import { staleHeaders } from '../../src/serve/server/content/content-headers.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Answer, askAt } from './ask.ts';
import { hostSiteOf } from './host-site.ts';
import { buildListSite, listSiteQueries } from './list-site.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { freePort, missing } from './program.ts';
import { SERVERS, type Server } from './servers.ts';
import type { MatrixSite } from './site.ts';

let site: MatrixSite;

beforeAll(async () => {
  site = await buildListSite();
  return () => site.remove();
});

/** Longer than any host may wait. */
const HANG_MS = 40_000;

/** Answers as the companion server does; its clock is behind by so much. */
const startUpstream = async () => {
  const port = await freePort();
  const upstream = { port, version: 1, behindMs: 0, hangs: false, statuses: [] as number[] };
  const asked: IncomingMessage[] = [];
  const answer = ({ url = '', headers }: IncomingMessage) => {
    const etag = `"${upstream.version}-${url.length}"`;
    const nowMs = Date.now() - upstream.behindMs;
    const stale = staleHeaders(headers, { nowMs, secondsMax: 60 });
    const fields = { etag, 'cache-control': 'public, max-age=0, must-revalidate' };
    const isKnown = knowsTag(headers['if-none-match'], etag);
    upstream.statuses.push(isKnown ? 304 : 200);
    const body = JSON.stringify({ posts: [upstream.version, url] });
    return { status: isKnown ? 304 : 200, headers: { ...fields, ...stale }, body };
  };
  let server = createServer();
  const open = async (): Promise<void> => {
    server = createServer(async (request, response) => {
      asked.push(request);
      if (upstream.hangs) await pause(HANG_MS, undefined, { ref: false });
      const { status, headers, body } = answer(request);
      response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' });
      response.end(status === 304 ? undefined : body);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect((server.address() as AddressInfo).port).toBe(port);
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await open();
  onTestFinished(close);
  return Object.assign(upstream, { open, close, asked });
};

const PATH = '/content/posts/?limit=1&key=a';
const versionOf = ({ status, body }: Answer): unknown =>
  status === 200 ? JSON.parse(body.toString()).posts[0] : status;

const expectAwayBody = (answer: Answer | undefined): void => {
  expect(answer?.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(JSON.parse(String(answer?.body)).errors).toHaveLength(1);
};

const begin = async (start: Server['start'], { staleSeconds = 60, behindMs = 0 } = {}) => {
  const upstream = await startUpstream();
  upstream.behindMs = behindMs;
  const told = listSiteQueries(`http://127.0.0.1:${upstream.port}`);
  const hostSite = { ...told, queries: { ...told.queries, staleSeconds } };
  const server = await start(site, { hostSite, name: `passing-${upstream.port}` });
  onTestFinished(() => server.end());
  return { upstream, ask: askAt(server.port) };
};

const CACHING = SERVERS.filter(({ name }) => /nginx/.test(name));

describe.each(SERVERS)('$name', ({ name, reason, start }) => {
  const isCaching = CACHING.some((one) => one.name === name);

  test.skipIf(reason !== null)('a server that hangs or is away holds no reader', async () => {
    const { upstream, ask } = await begin(start);
    expect(versionOf(await ask({ path: PATH }))).toBe(1);
    const expectAway = async (): Promise<void> => {
      const other = { path: '/content/posts/?limit=1&key=b' };
      const answers = await Promise.all([ask({ path: PATH }), ask(other), ask(other)]);
      expect(answers.map(versionOf)).toEqual(
        [isCaching ? 1 : null, null, null].map((one) => one ?? expect.toBeOneOf([502, 503, 504])),
      );
      for (const { headers } of answers.slice(1)) expect(headers['cache-control']).toBe('no-store');
    };
    upstream.hangs = true;
    await expectAway();
    await upstream.close();
    await expectAway();
  });

  test.skipIf(reason !== null)('a reader cannot say what a cache may keep', async () => {
    const { upstream, ask } = await begin(start);
    const told = name === 'nginx' ? expect.stringMatching(/^60 nginx \d+[.]\d+$/) : undefined;
    for (const sent of ['99999', '99999 nginx 99999999999.0']) {
      const { headers } = await ask({ path: PATH, headers: { 'x-prepress-stale': sent } });
      expect(upstream.asked.at(-1)?.headers['x-prepress-stale']).toEqual(told);
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    }
  });
});

describe.each(CACHING)('$name', ({ name, reason, start }) => {
  test.skipIf(reason !== null).each(name === 'nginx' ? [0, 600_000] : [0])(
    'an answer is asked for again each time where the server is %i ms ahead',
    async (aheadMs) => {
      const { upstream, ask } = await begin(start, { behindMs: -aheadMs });
      const first = await ask({ path: PATH });
      expect(versionOf(first)).toBe(1);
      expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      expect(first.headers).not.toHaveProperty('x-accel-expires');
      expect(first.headers).not.toHaveProperty('expires');
      expect(versionOf(await ask({ path: PATH }))).toBe(1);
      expect(upstream.statuses).toEqual([200, 304]);
      const tag = first.headers.etag ?? '';
      const known = await ask({ path: PATH, headers: { 'if-none-match': tag } });
      expect(known.status).toBe(304);
      upstream.version = 2;
      expect(versionOf(await ask({ path: PATH }))).toBe(2);
    },
  );

  test.skipIf(reason !== null)('while the server is away, an older one is sent', async () => {
    const { upstream, ask } = await begin(start);
    await ask({ path: PATH });
    await upstream.close();
    expect(versionOf(await ask({ path: PATH }))).toBe(1);
    const other = await ask({ path: '/content/posts/?limit=1&key=b' });
    expect(other.status).toBe(503);
    expectAwayBody(other);
    await upstream.open();
    upstream.version = 2;
    // Varnish does not try again at once.
    await eventually(async () => expect(versionOf(await ask({ path: PATH }))).toBe(2));
  });

  test.skipIf(reason !== null)('but not for longer than the setting says', async () => {
    const isVarnish = name.startsWith('Varnish');
    const { upstream, ask } = await begin(start, { staleSeconds: isVarnish ? 0 : 60 });
    // As if it had been asked that long ago.
    upstream.behindMs = 61_000;
    expect(versionOf(await ask({ path: PATH }))).toBe(1);
    await upstream.close();
    expect(versionOf(await ask({ path: PATH }))).toBe(503);
  });
});

test('a companion server grants no more than its own setting, and by no later clock', () => {
  const granted = (sent: string) =>
    staleHeaders({ 'x-prepress-stale': sent }, { nowMs: 1_000_000, secondsMax: 60 });
  const usual = 'public, max-age=0, must-revalidate';
  expect(granted('99999')).toEqual({ 'cache-control': `${usual}, stale-if-error=60` });
  expect(granted('99999 nginx 99999999999.000')).toEqual({
    'cache-control': 'stale-if-error=61',
    'x-accel-expires': '@999',
    // Any other cache than nginx asks again.
    expires: '0',
  });
  expect(granted('60 nginx 900.500')).toMatchObject({ 'x-accel-expires': '@899' });
});

const noNginx = missing('nginx', NGINX_INSTALL);

// nginx' own 500 is what readers got where it had no room for one more question.
describe.skipIf(noNginx !== null)(noNginx ?? '', () => {
  test.each(['', 'limit_req_status 500;'])(
    'the limit that docs/queries.md shows holds back queries, and no files %s',
    async (more) => {
      const upstream = await startUpstream();
      const hostSite = listSiteQueries(`http://127.0.0.1:${upstream.port}`);
      const folder = join(dirname(site.output), `nginx-limited-${upstream.port}`);
      const ownCache = (text: string): string => text.replaceAll('/var/cache/', `${folder}/cache-`);
      const { http, server } = nginxRules(site, folder, ownCache, hostSite);
      const [, block = ''] =
        /```nginx\n([^`]*limit_req_zone[^`]*)```/.exec(readFileSync('docs/queries.md', 'utf8')) ??
        [];
      const name = variablesOf(hostSiteOf(site, hostSite))('other');
      const lines = block.replace('p_8f94_other', name).trim().split('\n');
      const running = await startNginx({
        folder,
        http: [http, ...lines.slice(0, 2)].join('\n'),
        server: [server, ...lines.slice(2), more].join('\n'),
      });
      onTestFinished(() => running.end());
      const answers = async (query: string): Promise<Map<number, Answer>> => {
        const all = new Map<number, Answer>();
        for (let at = 0; at < 100; at += 1) {
          const path = `/content/posts/?${query}&n=${at}`;
          const answer = await askAt(running.port)({ path });
          all.set(answer.status, answer);
        }
        return all;
      };
      expect([...(await answers('include=tags')).keys()]).toEqual([200]);
      const limited = await answers('limit=1');
      expect(new Set(limited.keys())).toEqual(new Set([200, 503]));
      expectAwayBody(limited.get(503));
    },
  );
});
