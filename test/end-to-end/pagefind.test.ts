// Pagefind after a build, with the commands and the markup of docs/pages.md: a browser finds a word in the middle of a text, after
// an edit the new one, and nothing that is for members.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { importSample } from '../../src/publication/import/sample/sample.ts';
import { db } from '../../src/publication/store/db.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { serveFolder } from '../helpers/serve-folder.ts';
import { buildPages, SITE, siteConfig } from '../helpers/site-pages.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const recipe = readFileSync(join(ROOT, 'docs/pages.md'), 'utf8');
const [, options = ''] = /^npx pagefind (.*)$/m.exec(recipe) ?? [];
const [, markup = ''] = /^```html\n([\s\S]*?PagefindUI[\s\S]*?)^```/m.exec(recipe) ?? [];

const started = process.cwd();
afterAll(() => process.chdir(started));

const reason = missing('chromium', 'apt-get install chromium');

describe.skipIf(reason !== null)(`Pagefind${reason === null ? '' : ` (${reason})`}`, () => {
  const browser = launchChromium();

  test('finds what the newest build shows', async () => {
    const folder = temporaryFolder();
    process.chdir(folder);
    mkdirSync(join(folder, 'data'));
    const store = await openStore(siteConfig(folder).database, { create: true });
    await importSample(store, SITE);
    const output = join(folder, 'output');
    const site = await serveFolder(output);
    const index = async (html: string, slug: string): Promise<void> => {
      await store.write((tx) =>
        db(tx)
          .updateTable('posts')
          .set({ html, lexical: null, updated_at: new Date().toISOString() })
          .where('slug', '=', slug)
          .execute(),
      );
      await buildPages(folder);
      const pagefind = join(ROOT, 'node_modules/pagefind/lib/runner/bin.cjs');
      execFileSync(process.execPath, [pagefind, ...options.split(' ')], { stdio: 'pipe' });
      writeFileSync(join(output, 'search.html'), `<!doctype html><html lang="en">${markup}`);
    };
    const find = async (word: string): Promise<(string | null)[]> => {
      const page = await browser().newPage();
      try {
        await page.goto(`${site}/search.html`);
        await page.fill('#search input', word);
        await page.waitForSelector(`.pagefind-ui__message >> text=/results? for ${word}/i`);
        // Shown for each result until its record is read.
        await page.waitForSelector('.pagefind-ui__loading', { state: 'detached' });
        const links = await page.$$('.pagefind-ui__result-link');
        return await Promise.all(links.map((link) => link.getAttribute('href')));
      } finally {
        await page.close();
      }
    };
    const filler = '<p>Salt and water.</p>'.repeat(40);
    await index(`${filler}<p>Here is quartzite.</p>${filler}`, 'what-the-salt-pans-know');
    expect(await find('quartzite')).toEqual(['/what-the-salt-pans-know/']);
    await index(`${filler}<p>Here is obsidian.</p>`, 'what-the-salt-pans-know');
    expect([await find('quartzite'), await find('obsidian')]).toEqual([
      [],
      ['/what-the-salt-pans-know/'],
    ]);
    const gated = await db(store)
      .selectFrom('posts')
      .select('slug')
      .where('visibility', '!=', 'public')
      .executeTakeFirstOrThrow();
    await index('<p>Free.</p><!--members-only--><p>Here is xenolith.</p>', gated.slug);
    expect(await find('xenolith')).toEqual([]);
    await store.close();
  });
});
