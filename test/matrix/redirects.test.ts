// The publication's redirects on servers that read rules, and on Vercel's routes: each path leads where the table says.
import { describe, expect, test } from 'vitest';
import { vercelFiles } from '../../src/publish/hosts/vercel/files.ts';
import { REDIRECTED, REDIRECTS } from '../helpers/redirects.ts';
import type { Ask } from './ask.ts';
import { hostSiteOf } from './host-site.ts';
import { type HostUnderTest, startHosts } from './hosts-of-file.ts';
import { SERVERS } from './servers.ts';
import { routesIn } from './vercel-process.ts';

const leadsTo = async (ask: Ask, path: string, method = 'GET'): Promise<string | null> => {
  const { status, headers } = await ask({ path, method });
  if ((status !== 301 && status !== 302) || headers.location === undefined) return null;
  return `${status} ${headers.location}`;
};

/** Apache names itself in what it redirects to. */
const withoutServer = (answer: string | null): string | null =>
  answer?.replace(/ http:\/\/127\.0\.0\.1(?::\d+)?/, ' ') ?? null;

const holdRedirects = async ({ site, ask }: HostUnderTest): Promise<void> => {
  const { basePath } = site;
  const answers: unknown[] = [];
  for (const [path] of REDIRECTED)
    answers.push([path, withoutServer(await leadsTo(ask, `${basePath}${path}`))]);
  expect(answers).toEqual(
    REDIRECTED.map(([path, to]) => [path, to?.replace('BASE', basePath) ?? null]),
  );
  expect(await leadsTo(ask, `${basePath}/old/`, 'HEAD')).toMatch(/^302 /);
  expect(await leadsTo(ask, `${basePath}/old/`, 'POST')).toBeNull();
  expect((await ask({ path: `${basePath}/content/posts/` })).status).toBe(200);
};

const WITH_REDIRECTS = SERVERS.filter(({ name }) => ['nginx', 'Caddy', 'Apache'].includes(name));

describe.each(WITH_REDIRECTS)('$name', ({ reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts(
      ['', '/blog'].map((basePath) => ({
        title: basePath,
        basePath,
        start: (site) => start(site, { hostSite: { redirects: REDIRECTS } }),
      })),
    );

    test('redirects', async () => {
      for (const host of hosts()) await holdRedirects(host);
    });
  });
});

describe('Vercel', () => {
  const hosts = startHosts([{ title: '', start: async () => ({ ask: async () => never() }) }]);
  const never = (): never => {
    throw new Error('Nothing is asked of it.');
  };

  test('redirects', async () => {
    const [host] = hosts();
    if (host === undefined) throw new Error('There is no site.');
    const routes = routesIn(await vercelFiles(hostSiteOf(host.site, { redirects: REDIRECTS })));
    const answers = REDIRECTED.map(([address]) => {
      const [path = ''] = address.split('?');
      const route = routes.find(
        ({ src, status = 0 }) => [301, 302].includes(status) && new RegExp(src).test(path),
      );
      const location = route?.headers?.Location;
      const isOwn = location === undefined || location === '$1/';
      return isOwn
        ? null
        : `${route?.status} ${path.replace(new RegExp(route?.src ?? ''), location)}`;
    });
    // The platform adds the query.
    const withoutQuery = (to: string): string =>
      to.replace('BASE', '').replace(/[?&](?:x|v|page)=[^#]*/, '');
    expect(answers).toEqual(REDIRECTED.map(([, to]) => (to === null ? null : withoutQuery(to))));
  });
});
