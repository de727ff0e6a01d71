import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { varnishFiles } from '../../src/hosts/varnish/files.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { freePort, missing, startProgram } from './program.ts';
import { rawPathExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('varnishd', 'apt-get install varnish') ?? missing('nginx', NGINX_INSTALL);

describe.skipIf(reason !== null).each(['', '/blog'])(
  `Varnish in front of a plain server ${reason ?? ''} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;
    let endOrigin: () => Promise<void>;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const folder = dirname(site.output);
      const origin = await startNginx({
        folder: join(folder, 'nginx'),
        server: `root ${site.output}; merge_slashes off;`,
      });
      endOrigin = origin.end;
      const files = varnishFiles(
        hostSiteOf(site, { origin: { host: '127.0.0.1', port: origin.port } }),
      );
      for (const { path, text } of files)
        writeFileSync(join(folder, path), text.replace('ttl = 10s', 'ttl = 2s'));
      const port = await freePort();
      mkdirSync(join(folder, 'varnish'));
      const command = ['varnishd', '-F', '-j', 'none', '-a', `127.0.0.1:${port}`, '-T', 'none'];
      const program = await startProgram(
        [
          ...command,
          '-n',
          join(folder, 'varnish'),
          '-s',
          'malloc,16m',
          '-f',
          join(folder, 'prepress.vcl'),
        ],
        { cwd: folder, port },
      );
      running = { site, ask: askAt(port) };
      return async () => {
        await program.end();
        await origin.end();
        site.remove();
      };
    });

    checkHost(() => running, { exceptions: rawPathExceptions });

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
