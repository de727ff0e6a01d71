// A page with every card of Ghost's editor in a browser, at the widths of a phone, a tablet and a desk, light, dark and from
// right to left: nothing that axe finds serious, nothing that overflows or moves, toggles and players by keyboard.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderCards } from '../../docs/card-examples.js';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { findFaults, launchChromium, openPage } from '../helpers/desk-browser.ts';
import { putPicture } from '../helpers/pictures.ts';
import { insertRow } from '../helpers/publication.ts';
import { serveFolder } from '../helpers/serve-folder.ts';
import { buildPages, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');
const ROOT = join(import.meta.dirname, '../..');
const SHIFT_MAX = 0.02;
const SIGNUP = 'https://ghost.test/#/portal/signup';

const WIDTHS = [360, 768, 1280];
const LOOKS = [
  { colorScheme: 'light', dir: 'ltr' },
  { colorScheme: 'dark', dir: 'ltr' },
  { colorScheme: 'light', dir: 'rtl' },
] as const;

/** One post with every card, at /cards/. */
const fill = async (folder: string): Promise<void> => {
  const { database } = siteConfig(folder);
  await (await openStore(database, { create: true })).close();
  await putPicture(join(folder, 'media/images/2026/01/lead.jpg'), 1400, 700);
  await putPicture(join(folder, 'media/images/logo.png'), 300, 100);
  const shell = new (loadDriver())(database);
  const insert = (table: string, row: Record<string, unknown>): string =>
    insertRow(shell, table, row);
  insert('settings', { key: 'title', value: 'The Tide Table', type: 'string' });
  insert('settings', { key: 'logo', value: '__GHOST_URL__/content/images/logo.png' });
  insert('settings', { key: 'accent_color', value: '#ffd000', type: 'string' });
  const author_id = insert('users', { name: 'Ada', slug: 'ada', bio: 'Writes.' });
  const sections = (await renderCards()).map(
    ([title, html]) => `<h2>${title}</h2><p>Before it.</p>${html}<p>After it.</p>`,
  );
  const post_id = insert('posts', {
    status: 'published',
    published_at: '2026-01-02T10:00:00.000Z',
    slug: 'cards',
    title: 'Every card',
    html: sections.join('\n'),
    feature_image: '__GHOST_URL__/content/images/2026/01/lead.jpg',
  });
  insert('posts_authors', { post_id, author_id });
  shell.close();
};

/** The sum of what moved while the page was read from its top to its end, without anything that was pressed. */
const measureShift = async (page: Page): Promise<number> => {
  await page.evaluate(`(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    await Promise.all([...document.images].filter(({ src }) => src).map((one) => one.decode().catch(() => 0)));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  })()`);
  return Number(await page.evaluate('window.shift'));
};

const NOTE_SHIFT = `window.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });`;

/** Of a document: its blocks of code in that language. */
const blocksOf = (text: string, language: string): string[] =>
  text
    .split('```')
    .filter((part) => part.startsWith(`${language}\n`))
    .map((part) => part.slice(language.length));

describe.skipIf(reason !== null)(`cards${reason === null ? '' : `: ${reason}`}`, () => {
  const browser = launchChromium();
  const started = process.cwd();
  let output = '';

  beforeAll(async () => {
    const suite = suiteFolder();
    mkdirSync(join(suite.path, 'data'));
    process.chdir(suite.path);
    await fill(suite.path);
    await buildPages(suite.path, { signupUrl: SIGNUP, media: join(suite.path, 'media') });
    output = join(suite.path, 'output');
    return suite.remove;
  });
  afterAll(() => process.chdir(started));

  const open = async (options: BrowserContextOptions, dir = 'ltr'): Promise<Page> => {
    const origin = await serveFolder(output);
    const page = await openPage(browser(), options);
    await page.addInitScript(NOTE_SHIFT);
    await page.route('**/cards/', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text())
        .replace('<html ', `<html dir="${dir}" `)
        .replaceAll('dir="auto"', `dir="${dir}"`);
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${origin}/cards/`);
    return page;
  };

  test('nothing serious, too wide or moving at any width, in any colours and direction', async () => {
    for (const width of WIDTHS) {
      for (const { colorScheme, dir } of LOOKS) {
        const page = await open({ viewport: { width, height: 900 }, colorScheme }, dir);
        const place = [width, colorScheme, dir];
        const shift = await measureShift(page);
        const toggle = page.locator('.kg-toggle-card-icon').first();
        await toggle.click();
        expect([...place, await findFaults(page)]).toEqual([...place, []]);
        expect(shift, place.join(' ')).toBeLessThan(SHIFT_MAX);
        await page.close();
      }
    }
  });

  test('wide tables and code keep their words and scroll by keyboard, code from its first letter', async () => {
    const page = await open({ viewport: { width: 360, height: 900 } }, 'rtl');
    const found = await page.evaluate(`[...document.querySelectorAll('.body :is(pre, table)')].map(
      (one) => [one.localName, one.scrollWidth > one.clientWidth, one.tabIndex,
        getComputedStyle(one).direction])`);
    const code = ['pre', true, 0, 'ltr'];
    expect(found).toEqual([code, code, ['table', true, 0, 'rtl']]);
    const lines = await page.evaluate(`(() => {
      const word = document.createRange();
      word.selectNodeContents(document.querySelector('.body th'));
      return word.getClientRects().length;
    })()`);
    expect(lines).toBe(1);
  });

  test('the picture above the text names its sizes and sides, and is not lazy', async () => {
    const html = readFileSync(join(output, 'cards/index.html'), 'utf8');
    const [lead = ''] = /<img src="[^"]*lead\.jpg"[^>]*>/.exec(html) ?? [];
    expect(lead).toContain('width="1400" height="700" fetchpriority="high"');
    expect(lead).not.toContain('lazy');
    expect(html).toContain('logo.png" alt="The Tide Table" width="108" height="36">');
    const sizes = [...lead.matchAll(/(\S+) (\d+)w/g)].map(([, address = '', width]) => [
      existsSync(join(output, address.replace('srcset="', ''))),
      Number(width),
    ]);
    expect(sizes).toEqual([600, 1000, 1400].map((width) => [true, width]));
  });

  test('a toggle opens and closes by keyboard', async () => {
    const page = await open({ reducedMotion: 'reduce' });
    const toggle = page.locator('.kg-toggle-card').first();
    const button = toggle.getByRole('button', { name: 'When does the ferry leave?' });
    const content = toggle.locator('.kg-toggle-content');
    const states: unknown[] = [await content.isVisible()];
    for (const key of ['Enter', 'Space']) {
      await button.press(key);
      states.push([await content.isVisible(), await button.getAttribute('aria-expanded')]);
    }
    expect(states).toEqual([false, [true, 'true'], [false, 'false']]);
  });

  const visible = (page: Page, ...selectors: string[]): Promise<boolean[]> =>
    Promise.all(selectors.map((one) => page.locator(one).first().isVisible()));

  test('without a script nothing covers the controls of a browser, and toggles are open', async () => {
    const page = await open({ javaScriptEnabled: false });
    const own = ['.kg-video-overlay', '.kg-video-player-container', '.kg-audio-player'];
    const shown = ['.kg-video-card video', '.kg-toggle-content'];
    expect(await visible(page, ...own, ...shown)).toEqual([false, false, false, true, true]);
  });

  test('a toggle inside one that is open shows that it is closed', async () => {
    const page = await open({ reducedMotion: 'reduce' });
    const turned = await page.evaluate(`(() => {
      const [outer, inner] = document.querySelectorAll('.kg-toggle-card');
      outer.querySelector('.kg-toggle-content').append(inner);
      outer.querySelector('.kg-toggle-card-icon').click();
      return [outer, inner].map((one) => getComputedStyle(one.querySelector('svg')).transform);
    })()`);
    expect(turned).toEqual([expect.stringContaining('matrix'), 'none']);
  });

  test('in colours that a reader forces, players show where they are and stars how many', async () => {
    const page = await open({ forcedColors: 'active' });
    const colours = await page.evaluate(`(() => {
      const of = (selector) => getComputedStyle(document.querySelector(selector));
      return [of('.kg-product-card-rating-active svg').fill === 'none',
        of('.kg-product-card-rating-star:not(.kg-product-card-rating-active) svg').fill === 'none',
        of('.kg-audio-seek-slider').forcedColorAdjust];
    })()`);
    expect(colours).toEqual([false, true, 'none']);
  });

  test('no card is wider for a word that is', async () => {
    const page = await open({ viewport: { width: 360, height: 900 } });
    const wide = await page.evaluate(`(() => {
      const texts = document.createTreeWalker(document.querySelector('.body'), NodeFilter.SHOW_TEXT);
      const words = '.kg-card :is(p, h2, h3, h4, a, figcaption, [class*="text"], [class*="title"])';
      while (texts.nextNode()) {
        const { parentElement } = texts.currentNode;
        if (parentElement.matches(words) && texts.currentNode.data.trim() !== '')
          texts.currentNode.data = 'Donaudampfschifffahrt'.repeat(9);
      }
      return [...document.querySelectorAll('.kg-card:not(.kg-code-card)')].filter((card) => {
        const { left, right } = card.getBoundingClientRect();
        return [...card.querySelectorAll('*')].some((one) => {
          const box = one.getBoundingClientRect();
          return box.width > 0 && (box.right > right + 1 || box.left < left - 1);
        });
      }).map((card) => card.className);
    })()`);
    expect(wide).toEqual([]);
  });

  test.for([
    ['audio', 'play-icon'],
    ['video', 'large-play-icon'],
  ] as const)(
    'a player of %s plays, stops, seeks and is muted by keyboard',
    async ([kind, first]) => {
      const page = await open({});
      const card = page.locator(`.kg-${kind}-card`).first();
      const media = `document.querySelector('.kg-${kind}-card ${kind}')`;
      const stateOf = (name: string): Promise<unknown> => page.evaluate(`${media}.${name}`);
      const until = (what: string): Promise<unknown> => page.waitForFunction(`${media}.${what}`);
      const hasKeyboard = (name: string): Promise<unknown> =>
        page.waitForFunction(`document.activeElement.matches('.kg-${kind}-${name}')`);
      const find = (name: string): Locator => card.locator(`.kg-${kind}-${name}`);
      await page.evaluate(`${media}.loop = true`);
      await find(first).press('Enter');
      await until('currentTime > 0');
      await hasKeyboard('pause-icon');
      await page.keyboard.press('Space');
      await until('paused');
      await hasKeyboard('play-icon');
      await find('seek-slider').press('End');
      await until('currentTime > 2.5');
      expect(await find('current-time').textContent()).toMatch(/^0:0[23]$/);
      await find('unmute-icon').press('Enter');
      await hasKeyboard('mute-icon');
      expect(await stateOf('muted')).toBe(true);
      await page.keyboard.press('Enter');
      await hasKeyboard('unmute-icon');
      expect(await stateOf('muted')).toBe(false);
      await find('playback-rate').press('Enter');
      await card.getByText('1.25×').waitFor();
      expect(await stateOf('playbackRate')).toBe(1.25);
    },
  );

  test('a sign-up card leads to the address of the setting, and is not shown without one', async () => {
    const page = await open({});
    const leads = `[...document.querySelectorAll('.kg-signup-card a')].map((one) => one.href)`;
    expect(await page.evaluate(leads)).toEqual([SIGNUP, SIGNUP, SIGNUP]);
    expect(await page.locator('.kg-signup-card form').count()).toBe(0);
    await page.evaluate(`delete document.documentElement.dataset.kgSignup;
      for (const card of document.querySelectorAll('.kg-signup-card')) card.removeAttribute('style')`);
    expect(await page.locator('.kg-signup-card').first().isVisible()).toBe(false);
  });

  test('a page that includes the files as docs/cards.md says has wide cards, toggles and sign-up', async () => {
    const text = readFileSync(join(ROOT, 'docs/cards.md'), 'utf8');
    const [head = '', root = ''] = blocksOf(text, 'html');
    const [columns = ''] = blocksOf(text, 'css');
    const column = 'body { margin: 0 } article { width: 20rem; margin: 0 auto }';
    const own = '.prose img { margin: 2em auto; height: auto } .prose a { color: blue }';
    const folder = temporaryFolder();
    for (const file of ['cards.css', 'cards.js'])
      cpSync(join(ROOT, 'content/_includes/site', file), join(folder, file));
    // Its field takes the place of a method, so that it cannot be run: those after it are.
    const odd = '<form class="kg-card kg-toggle-card"><input name="querySelector"></form>';
    const cards = odd + (await renderCards()).map(([, html]) => html).join('');
    // Ghost's own scripts and handlers are what the policy forbids.
    const plain = cards.replace(/ onerror="[^"]*"|<script>[\s\S]*?<\/script>/g, '');
    const podcast = (src: string): string =>
      `<iframe title="Podcasts" data-kg-transistor-embed data-src="${src}"></iframe>`;
    const others = ['javascript:alert(1)', 'https://podcasts.test/'].map(podcast).join('');
    const [film = ''] = /<figure class="kg-card kg-video-card[\s\S]*?<\/figure>/.exec(plain) ?? [];
    const high =
      film.replace('width="1280"', 'width="325"').replace('height="720"', 'height="580"') +
      '<figure class="kg-card kg-embed-card"><iframe width="325" height="580"></iframe></figure>';
    const body = `<main><article class="prose">${plain}${others}</article>${high}</main>`;
    const style = `<style>${column}${columns}${own}</style>`;
    writeFileSync(join(folder, 'index.html'), `<!DOCTYPE html>${root}${head}${style}${body}`);
    const page = await openPage(browser(), { viewport: { width: 1000, height: 800 } });
    await page.route('https://podcasts.test/', (route) => route.fulfill({ body: '' }));
    await page.goto(await serveFolder(folder, { 'content-security-policy': "script-src 'self'" }));
    const widthOf = async (selector: string): Promise<number | undefined> =>
      (await page.locator(selector).first().boundingBox())?.width;
    expect(await widthOf('.kg-image-card:not(.kg-width-wide)')).toBe(320);
    expect(await widthOf('.kg-width-wide')).toBe(960);
    expect(await widthOf('.kg-width-full')).toBe(
      Number(await page.evaluate('document.documentElement.clientWidth')),
    );
    const look = await page.evaluate(`(() => {
      const cell = document.querySelector('.kg-gallery-image');
      const colours = ['.kg-callout-card', '.kg-cta-card'].flatMap((card) =>
        [...document.querySelectorAll(card + ' p a')].map((a) => getComputedStyle(a).color));
      return { isFilled: cell.offsetHeight === cell.querySelector('img').offsetHeight, colours };
    })()`);
    expect(look).toMatchObject({ isFilled: true });
    expect(JSON.stringify(look)).not.toContain('rgb(0, 0, 255)');
    await page.locator('.kg-toggle-card-icon').first().press('Enter');
    expect(await page.locator('.kg-toggle-content').first().isVisible()).toBe(true);
    const podcasts = page.locator('iframe[data-kg-transistor-embed]');
    const ofPodcasts = await podcasts.all();
    const sources = await Promise.all(ofPodcasts.map((one) => one.getAttribute('src')));
    expect(sources).toEqual([null, null, 'https://podcasts.test/']);
    for (const one of ['embed-card > iframe', 'video-card video']) {
      const { width = 0, height = 0 } =
        (await page.locator(`main > .kg-${one}`).boundingBox()) ?? {};
      expect([Math.round(width), Math.round(height)], one).toEqual([359, 640]);
    }
    const signup = page.getByRole('link', { name: 'Subscribe' }).first();
    expect(await signup.getAttribute('href')).toBe('https://ghost.example/#/portal/signup');
  });
});
