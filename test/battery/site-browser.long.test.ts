// The pages for readers in a browser: nothing that axe finds serious, no overflow, search that finds, and a publication
// of hostile texts that runs no script. A plain server sends the files, without any policy that would forbid scripts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importSample } from '../../src/publication/import/sample/sample.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { findFaults, launchChromium, openPage, SCREENS } from '../helpers/desk-browser.ts';
import { fillHostile } from '../helpers/hostile-site.ts';
import { serveFolder } from '../helpers/serve-folder.ts';
import { buildPages, SITE, siteConfig } from '../helpers/site-pages.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

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
    return { output, origin: await serveFolder(output) };
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
