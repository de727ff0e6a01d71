// Varnish in front of the companion server, and in front of a plain server of files.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tagOf } from '../../src/content/paths/cache-tags.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Answer, askAt } from './ask.ts';
import { conditionTrials } from './check-conditions.ts';
import { hostTrials } from './check-host.ts';
import { putPages, removePages } from './check-pages.ts';
import { startCompanion } from './companion-process.ts';
import type { Request } from './conformance.ts';
import { type Configuration, type HostUnderTest, startHosts } from './hosts-of-file.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { rawByteExceptions, rawPathExceptions } from './rule-exceptions.ts';
import { type MatrixSite, POST_ID } from './site.ts';
import { holdAll } from './trials.ts';
import { startVarnish, VARNISH_INSTALL } from './varnish-process.ts';

const reason = missing('varnishd', VARNISH_INSTALL) ?? missing('nginx', NGINX_INSTALL);

const missingXkey = !['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].some((folder) =>
  existsSync(join(folder, 'varnish/vmods/libvmod_xkey.so')),
);

const exceptions = (request: Request): string | null =>
  /include=.{5000}/.test(request.path)
    ? 'the values of a query are read up to a length'
    : rawPathExceptions(request);

const BEFORE_COMPANION: Configuration['start'] = async (site, companion) =>
  startVarnish(site, (await companion()).port);

const BEFORE_FILES = async (site: MatrixSite) => {
  const origin = await startNginx({
    folder: join(dirname(site.output), 'nginx'),
    server: `root ${site.output}; merge_slashes off;`,
  });
  const varnish = await startVarnish(site, origin.port);
  return { ...varnish, endOrigin: origin.end, end: () => varnish.end().then(origin.end) };
};

describe.skipIf(reason !== null)(`Varnish ${reason ?? ''}`, () => {
  const companions = startHosts([{ title: 'before the companion', start: BEFORE_COMPANION }]);
  const plain = startHosts([
    { title: 'before files', start: BEFORE_FILES },
    { title: 'before files', basePath: '/blog', start: BEFORE_FILES },
  ]);

  test('conditions and ranges', () =>
    holdAll([...companions(), ...plain()].flatMap(conditionTrials)));

  test('documents and addresses', () =>
    holdAll([
      ...companions().flatMap((host) =>
        hostTrials(host, { exceptions: (one) => rawByteExceptions(one) ?? exceptions(one) }),
      ),
      ...plain().flatMap((host) => hostTrials(host, { exceptions })),
    ]));

  test('the page about the interface is sent as the server has it', async () => {
    for (const { site, ask } of companions()) {
      putPages(site);
      // It was asked for before, when there was none.
      expect((await ask({ method: 'PURGE', path: '/content/' })).status).toBe(200);
      const { status, headers, body } = await ask({ path: '/content/' });
      removePages(site);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body.toString()).toMatch(/^<!DOCTYPE html>/);
    }
  });

  test.skipIf(missingXkey)('what carries a tag is forgotten, as docs/hosts.md has it', async () => {
    const [, own = ''] =
      /```vcl\n(vcl 4\.1;[^`]*)```/.exec(readFileSync('docs/hosts.md', 'utf8')) ?? [];
    for (const { site } of companions()) {
      const companion = await startCompanion(site, 'optional');
      onTestFinished(companion.end);
      const rules = own.replace('/etc/varnish/', './');
      const varnish = await startVarnish(site, companion.port, { own: rules });
      onTestFinished(varnish.end);
      const ask = askAt(varnish.port);
      const paths = [
        ...['/content/posts/slug/welcome/', `/content/posts/${POST_ID}/?include=tags`],
        ...['/content/posts/slug/con/', '/content/posts/', '/content/tags/slug/news/'],
      ];
      const keptOf = async (): Promise<boolean[]> => {
        const kept: boolean[] = [];
        // Of what is kept it names two requests.
        for (const path of paths)
          kept.push(/\d \d/.test(String((await ask({ path })).headers['x-varnish'])));
        return kept;
      };
      await keptOf();
      expect(await keptOf()).toEqual([true, true, true, true, true]);
      const con = tagOf({ resource: 'posts', segment: site.segmentOf('con') });
      for (const [tags, kept] of [
        ['post:welcome', [false, true, true, true, true]],
        [`post:${POST_ID} ${con}`, [true, false, false, true, true]],
        ['packed', [true, true, true, false, true]],
        ['tag:news', [true, true, true, true, false]],
      ] as const) {
        const headers = { 'xkey-purge': tags };
        const { status } = await ask({ method: 'PURGEKEYS', path: '/', headers });
        expect([status, tags, await keptOf()]).toEqual([200, tags, kept]);
      }
    }
  });

  test('where the server asks for a key, it is said, and not kept', async () => {
    for (const { site } of companions()) {
      const companion = await startCompanion(site, 'required');
      onTestFinished(companion.end);
      const varnish = await startVarnish(site, companion.port);
      onTestFinished(varnish.end);
      const answer = await askAt(varnish.port)({ path: '/content/posts/?key=1' });
      expect([answer.status, answer.headers['cache-control']]).toEqual([502, 'no-store']);
      expect(answer.body.toString()).toContain('set contentKey to optional');
    }
  });

  test('spellings of one query share one object', async () => {
    for (const host of plain()) {
      expect(await statusesOf(host)('/content/*', 'PURGE')).toBe(200);
      const path = `${host.site.basePath}/content/posts/?include=tags,authors&key=1`;
      const first = await host.ask({ path });
      const second = await host.ask({
        path: '/ghost/api/content/posts/?key=2&include=authors%2Ctags',
      });
      expect(first.body.equals(second.body)).toBe(true);
      expect([isBrought(first), isBrought(second)]).toEqual([true, false]);
    }
  });

  test('PURGE makes it forget an address in any spelling, but not for strangers', async () => {
    for (const host of plain()) {
      const statusOf = statusesOf(host);
      const file = join(host.site.content, FILE);
      const kept = readFileSync(file);
      expect(await statusOf(ADDRESS)).toBe(200);
      rmSync(file);
      const others = { 'x-forwarded-for': '192.0.2.1' };
      expect(await statusOf(ADDRESS, 'PURGE', others)).toBe(404);
      expect(await statusOf(ADDRESS)).toBe(200);
      const other = '/content/posts/slug/welcome/?include=authors,tags';
      expect(await statusOf(other, 'PURGE')).toBe(200);
      expect(await statusOf(ADDRESS)).toBe(404);
      writeFileSync(file, kept);
      expect(await statusOf('/content/*', 'PURGE')).toBe(200);
      expect(await statusOf(ADDRESS)).toBe(200);
    }
  });

  test('what is gone is sent to nobody after it has aged, also when the server is away', async () => {
    for (const host of plain()) {
      const statusOf = statusesOf(host);
      expect(await statusOf('/content/*', 'PURGE')).toBe(200);
      expect(await statusOf(ADDRESS)).toBe(200);
      rmSync(join(host.site.content, FILE));
      // Another document, which was brought after it, is brought again: both have aged.
      const path = `${host.site.basePath}/content/tags/`;
      expect(isBrought(await host.ask({ path }))).toBe(true);
      await eventually(async () => expect(isBrought(await host.ask({ path }))).toBe(true));
      expect(await statusOf(ADDRESS)).toBe(404);
      await host.endOrigin();
      await eventually(async () => expect(await statusOf(ADDRESS)).toBe(503));
      expect(await statusOf('/content/tags/')).toBe(200);
    }
  });
});

const FILE = 'posts/slug/welcome/authors-tags.json';
const ADDRESS = '/content/posts/slug/welcome/?include=tags%2Cauthors';

/** The header has the number of the request, and of a kept object that of the one which brought it. */
const isBrought = ({ headers }: Answer): boolean => /^\d+$/.test(String(headers['x-varnish']));

const statusesOf =
  ({ site, ask }: HostUnderTest) =>
  async (path: string, method = 'GET', headers = {}): Promise<number> =>
    (await ask({ path: `${site.basePath}${path}`, method, headers })).status;
