// The pages for readers in a browser: nothing that axe finds serious, no overflow, search that finds, and a publication
// of hostile texts that runs no script. A plain server sends the files, without any policy that would forbid scripts.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importSample } from '../../src/publication/import/sample/sample.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { findFaults, launchChromium, openPage, SCREENS } from '../helpers/desk-browser.ts';
import { fillHostile } from '../helpers/hostile-site.ts';
import { buildPages, SITE, siteConfig } from '../helpers/site-pages.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

const serveFolder = async (root: string): Promise<{ server: Server; origin: string }> => {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', SITE).pathname);
    const names = path.endsWith('/') ? [`${path}index.html`, `${path}index.json`] : [path];
    const file = names.map((name) => join(root, name)).find((name) => existsSync(name));
    const found = file ?? join(root, '404.html');
    const type = TYPES[extname(found)] ?? 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type });
    response.end(readFileSync(found));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe.skipIf(reason !== null)(`pages for readers${reason === null ? '' : `: ${reason}`}`, () => {
  const browser = launchChromium();

  const build = async (fill: (database: string) => Promise<void>) => {
    const started = process.cwd();
    onTestFinished(() => process.chdir(started));
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    process.chdir(folder);
    await fill(siteConfig(folder).database);
    await buildPages(folder);
    const output = join(folder, 'output');
    const { server, origin } = await serveFolder(output);
    onTestFinished(() => void server.close());
    return { output, origin };
  };

  test('axe finds nothing serious, nothing overflows, and search finds', async () => {
    const { origin } = await build(async (database) => {
      const store = await openStore(database, { create: true });
      await importSample(store, SITE);
      await store.close();
    });
    const paths = ['/', '/how-to-read-a-tide-table/', '/what-the-salt-pans-know/', '/pilot-0410/'];
    const others = ['/about/', '/tag/tides/', '/author/sachiko-lind/', '/absent/', '/content/'];
    for (const screen of SCREENS) {
      const page = await openPage(browser(), screen);
      for (const path of [...paths, ...others]) {
        await page.goto(origin + path);
        expect([path, screen, await findFaults(page)]).toEqual([path, screen, []]);
      }
      await page.goto(origin);
      await page.keyboard.press('/');
      await page.keyboard.type('foghorn');
      await page.locator('dialog li a').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${origin}/the-foghorn-tuner/`);
    }
  });

  test('hostile titles, names and links run no script, also where search shows them', async () => {
    const { output, origin } = await build(fillHostile);
    const pages = [...readTree(output).keys()].filter((name) => name.endsWith('.html'));
    expect(pages).toContain('one/index.html');
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    for (const name of pages) {
      await page.goto(`${origin}/${name.split('/').map(encodeURIComponent).join('/')}`);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('window.ran ?? 0'), name).toBe(0);
    }
    await page.goto(origin);
    await page.keyboard.press('/');
    await page.keyboard.type('script');
    await page.locator('dialog li a').first().waitFor();
    expect(await page.evaluate('window.ran ?? 0')).toBe(0);
  });
});
