// The server block of docs/hosts/nginx.md, as it stands: it answers the interface and the HTML pages, and with the edit
// that the page names it answers every query. Only the folder and the port are the test's own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type Ask, askAt } from './ask.ts';
import { NGINX_INSTALL, NJS_INSTALL, NJS_MODULE, startNginx } from './nginx-process.ts';
import { freePort, missing, missingFile } from './program.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/hosts/nginx.md'), 'utf8');
const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? [];
const [, from = '', to = ''] = /sed -i 's,([^,]+),([^,]+),'/.exec(page) ?? [];

/** The block for `folder`, on a port of its own. */
const startBlock = async (folder: string, text: string, modules = ''): Promise<Ask> => {
  const port = await freePort();
  const http = text
    .replaceAll('/srv/prepress', folder)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const nginx = await startNginx({ folder: join(folder, 'nginx'), http, server: '', modules });
  onTestFinished(nginx.end);
  return askAt(port);
};

const reason = missing('nginx', NGINX_INSTALL) ?? missingFile(NJS_MODULE, NJS_INSTALL);

describe.skipIf(reason !== null)(
  `nginx.md${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    test('its block sends the interface and the pages', async () => {
      const folder = temporaryFolder();
      await prepress(folder, ['init']);
      await prepress(folder, ['build'], { environment: { PREPRESS_SITE: 'true' } });
      await prepress(folder, ['hosts', 'write', 'nginx']);
      const ask = await startBlock(folder, block);
      for (const [path, file] of [
        ['/content/posts/', 'content/posts/index.json'],
        ['/', 'index.html'],
        ['/the-foghorn-tuner/', 'the-foghorn-tuner/index.html'],
      ] as const) {
        const { status, body } = await ask({ path });
        expect([status, body]).toEqual([200, readFileSync(join(folder, 'output', file))]);
      }
      mkdirSync(join(folder, 'output/.prepress-pages'), { recursive: true });
      writeFileSync(join(folder, 'output/.prepress-pages/index.html'), 'early');
      for (const path of ['/absent/', '/tag/', '/.prepress-pages/']) {
        const absent = await ask({ path });
        expect([path, absent.status, absent.body]).toEqual([
          path,
          404,
          readFileSync(join(folder, 'output/404.html')),
        ]);
      }
    });

    test('its edit for njs answers every query, and without pages / says what is here', async () => {
      const folder = temporaryFolder();
      await prepress(folder, ['init']);
      await prepress(folder, ['build']);
      await prepress(folder, ['hosts', 'write', 'nginx', '--njs']);
      expect([...block.matchAll(/\/hosts\/nginx\//g)]).toHaveLength(2);
      const edited = block.replaceAll(from, to);
      const ask = await startBlock(folder, edited, `load_module ${NJS_MODULE};`);
      const { status, body } = await ask({ path: '/content/posts/?limit=2&fields=id' });
      expect(status).toBe(200);
      const home = await ask({ path: '/' });
      expect([home.status, home.body.toString()]).toEqual([
        200,
        expect.stringContaining('<a href="/content/posts/">posts</a>'),
      ]);
      const { posts } = JSON.parse(body.toString()) as { posts: object[] };
      expect(posts.map((post) => Object.keys(post))).toEqual([['id'], ['id']]);
    });
  },
);
