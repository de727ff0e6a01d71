// The pages for readers in a browser: nothing that axe finds serious, no overflow, search that finds, and a publication
// of hostile texts that runs no script. A plain server sends the files, without any policy that would forbid scripts.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importSample } from '../../src/importers/sample.ts';
import { openStore } from '../../src/store/store.ts';
import { startChromium } from '../helpers/chromium.ts';
import { fillHostile } from '../helpers/hostile-site.ts';
import { buildPages, SITE, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
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

const started = process.cwd();

describe.skipIf(reason !== null)(`pages for readers${reason === null ? '' : `: ${reason}`}`, () => {
  let folder = '';
  let browser: Browser;
  const servers: Server[] = [];

  beforeAll(async () => {
    const suite = suiteFolder();
    folder = suite.path;
    browser = await startChromium();
    return async () => {
      await browser.close();
      for (const server of servers) server.close();
      process.chdir(started);
      suite.remove();
    };
  });
  afterAll(() => process.chdir(started));

  const build = async (
    name: string,
    fill: (database: string) => Promise<void>,
  ): Promise<{ output: string; origin: string }> => {
    const place = join(folder, name);
    mkdirSync(join(place, 'data'), { recursive: true });
    process.chdir(place);
    await fill(siteConfig(place).database);
    await buildPages(place);
    const { server, origin } = await serveFolder(join(place, 'output'));
    servers.push(server);
    return { output: join(place, 'output'), origin };
  };

  const sample = async (database: string): Promise<void> => {
    const store = await openStore(database, { create: true });
    await importSample(store, SITE);
    await store.close();
  };

  test('axe finds nothing serious, nothing overflows, and search finds', async () => {
    const { origin } = await build('sample', sample);
    const paths = [
      '/',
      '/how-to-read-a-tide-table/',
      '/what-the-salt-pans-know/',
      '/pilot-0410/',
      '/about/',
      '/tag/tides/',
      '/author/sachiko-lind/',
      '/absent/',
      '/content/',
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [375, 1280]) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
        const page = await context.newPage();
        for (const path of paths) {
          const where = `${path} ${colorScheme} ${width}`;
          await page.goto(origin + path);
          const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(over, where).toBeLessThanOrEqual(0);
          await page.evaluate(axe.source);
          const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
          const serious = found.violations.filter(
            ({ impact }) => impact === 'serious' || impact === 'critical',
          );
          expect(
            serious.map(({ id, nodes }) => [id, nodes[0]?.html]),
            where,
          ).toEqual([]);
        }
        await page.goto(origin);
        await page.keyboard.press('/');
        await page.keyboard.type('foghorn');
        await page.locator('dialog li a').first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`${origin}/the-foghorn-tuner/`);
        await context.close();
      }
    }
  });

  test('hostile titles, names and links run no script', async () => {
    const { output, origin } = await build('hostile', fillHostile);
    const pages = [...readTree(output).keys()].filter((name) => name.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(6);
    expect(pages).toContain('one/index.html');
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const name of pages) {
      await page.goto(`${origin}/${name.split('/').map(encodeURIComponent).join('/')}`);
      await page.waitForLoadState('networkidle');
      const ran = await page.evaluate(
        '[window.ran ?? 0, document.querySelectorAll(`[href^="javascript:" i], [src^="javascript:" i], [onload], [onerror], [onfocus]`).length]',
      );
      expect(ran, name).toEqual([0, 0]);
    }
    await page.goto(origin);
    await page.keyboard.press('/');
    await page.keyboard.type('script');
    await page.locator('dialog li a').first().waitFor();
    expect(await page.evaluate('window.ran ?? 0')).toBe(0);
    await context.close();
  });
});
