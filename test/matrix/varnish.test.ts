import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { putPages, removePages } from './check-pages.ts';
import { startCompanion } from './companion-process.ts';
import type { Request } from './conformance.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { rawByteExceptions, rawPathExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';
import { startVarnish, VARNISH_INSTALL } from './varnish-process.ts';

const reason = missing('varnishd', VARNISH_INSTALL) ?? missing('nginx', NGINX_INSTALL);

const exceptions = (request: Request): string | null =>
  /include=.{5000}/.test(request.path)
    ? 'the values of a query are read up to a length'
    : rawPathExceptions(request);

describe.skipIf(reason !== null)(`Varnish in front of the companion server ${reason ?? ''}`, () => {
  let running: HostUnderTest;

  beforeAll(async () => {
    const site = await buildMatrixSite();
    const companion = await startCompanion(site);
    const varnish = await startVarnish(site, companion.port);
    running = { site, ask: askAt(varnish.port) };
    return async () => {
      await varnish.end();
      await companion.end();
      site.remove();
    };
  });

  checkHost(() => running, {
    exceptions: (request) => rawByteExceptions(request) ?? exceptions(request),
  });

  test('the page about the interface is sent as the server has it', async () => {
    const { site, ask } = running;
    putPages(site);
    // It was asked for before, when there was none.
    expect((await ask({ method: 'PURGE', path: '/content/' })).status).toBe(200);
    const { status, headers, body } = await ask({ path: '/content/' });
    removePages(site);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toMatch(/^<!DOCTYPE html>/);
  });

  test('where that asks for a key, it is said, and not kept', async () => {
    const companion = await startCompanion(running.site, 'required');
    const varnish = await startVarnish(running.site, companion.port);
    const answer = await askAt(varnish.port)({ path: '/content/posts/?key=1' });
    await varnish.end();
    await companion.end();
    expect([answer.status, answer.headers['cache-control']]).toEqual([502, 'no-store']);
    expect(answer.body.toString()).toContain('set contentKey to optional');
  });
});

describe.skipIf(reason !== null).each(['', '/blog'])(
  `Varnish in front of a plain server ${reason ?? ''} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;
    let endOrigin: () => Promise<void>;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const origin = await startNginx({
        folder: join(dirname(site.output), 'nginx'),
        server: `root ${site.output}; merge_slashes off;`,
      });
      endOrigin = origin.end;
      const program = await startVarnish(site, origin.port);
      running = { site, ask: askAt(program.port) };
      return async () => {
        await program.end();
        await origin.end();
        site.remove();
      };
    });

    checkHost(() => running, { exceptions });

    test('spellings of one query share one object', async () => {
      const first = await running.ask({
        path: `${basePath}/content/posts/?include=tags,authors&key=1`,
      });
      const second = await running.ask({
        path: '/ghost/api/content/posts/?key=2&include=authors%2Ctags',
      });
      expect(first.body.equals(second.body)).toBe(true);
      // Two numbers: the request, and the one that brought the object.
      expect(String(second.headers['x-varnish'])).toMatch(/^\d+ \d+$/);
    });

    const statusOf = async (path: string, method = 'GET', headers = {}): Promise<number> =>
      (await running.ask({ path: `${basePath}${path}`, method, headers })).status;
    const removeDocument = (): void =>
      rmSync(join(running.site.content, `posts/slug/welcome/authors-tags.json`));
    const address = '/content/posts/slug/welcome/?include=tags%2Cauthors';

    test('PURGE makes it forget an address in any spelling, but not for strangers', async () => {
      const file = join(running.site.content, 'posts/slug/welcome/authors-tags.json');
      const kept = readFileSync(file);
      expect(await statusOf(address)).toBe(200);
      removeDocument();
      const others = { 'x-forwarded-for': '192.0.2.1' };
      expect(await statusOf(address, 'PURGE', others)).toBe(404);
      expect(await statusOf(address)).toBe(200);
      expect(await statusOf('/content/posts/slug/welcome/?include=authors,tags', 'PURGE')).toBe(
        200,
      );
      expect(await statusOf(address)).toBe(404);
      writeFileSync(file, kept);
      expect(await statusOf('/content/*', 'PURGE')).toBe(200);
      expect(await statusOf(address)).toBe(200);
    });

    test('what is gone is sent to nobody after it has aged, also when the server is away', async () => {
      expect(await statusOf(address)).toBe(200);
      expect(await statusOf('/content/tags/')).toBe(200);
      removeDocument();
      await pause(2_100);
      expect(await statusOf(address)).toBe(404);
      await endOrigin();
      await pause(2_100);
      expect(await statusOf('/content/tags/')).toBe(200);
      expect(await statusOf(address)).toBe(503);
    });
  },
);
