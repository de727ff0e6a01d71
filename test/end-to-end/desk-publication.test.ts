// The publication at the desk in a browser: its settings and navigation, its tags, and posts found by tag and author. Each
// view fits a phone in either direction of writing, in the dark too, and works by keyboard alone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findFaults,
  launchChromium,
  openPage,
  press,
  seen,
  signIn,
} from '../helpers/desk-browser.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const PHONE = { viewport: { width: 360, height: 800 }, colorScheme: 'dark' } as const;

type Settings = { readonly settings: readonly { readonly key: string; readonly value: unknown }[] };
type Tag = Readonly<Record<'id' | 'name' | 'slug' | 'description' | 'og_title', string | null>>;

describe.skipIf(reason !== null)(`the publication at the desk ${reason ?? ''}`, () => {
  const suite = suiteFolder();
  const browser = launchChromium();
  let serving: Serving;

  beforeAll(async () => {
    serving = await startServing(suite.path, { args: ['--sample'] });
  });
  afterAll(async () => {
    await serving.end();
    suite.remove();
  });

  const open = async (page: Page, view: string): Promise<void> => {
    await page.goto(`${serving.url}/desk/#/${view}`);
    await page.locator('main h1').waitFor();
  };

  const readSettings = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { settings } = (await serving.admin('GET', '/settings/')) as Settings;
    return Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  };

  /** With everything that opens opened. */
  const faultsOf = async (page: Page): Promise<readonly string[][]> => {
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    const faults: string[][] = [];
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      faults.push(await findFaults(page));
    }
    return faults;
  };

  test('settings are saved as they were changed, and links are moved by keyboard', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    await open(page, 'settings');
    const before = await readSettings();
    await page.getByLabel('Title', { exact: true }).fill('Ebb & Flow');
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByLabel('Accent colour', { exact: true }).fill('#aa3300');
    const down = page.getByRole('button', { name: 'Move Home down' });
    await down.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const focused = (): Promise<unknown> =>
      page.evaluate("document.activeElement.getAttribute('aria-label')");
    expect(await focused()).toBe('Move Home down');
    await page.getByRole('button', { name: 'Remove People' }).press('Enter');
    expect(await focused()).toBe('Remove About');
    const section = page.getByRole('region', { name: 'Secondary navigation' });
    await section.getByRole('button', { name: 'Add a link' }).click();
    await section.getByLabel('Words of link 4').fill('Map');
    await section.getByLabel('Address of link 4').fill('/map/');
    const asking = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'Tags', exact: true }).click();
    await (await asking).dismiss();
    await leaving;
    await press(page, 'Save');
    await seen(page, 'Saved. Readers see it in a few seconds.');
    await page.getByRole('link', { name: 'Ebb & Flow' }).waitFor();
    const after = await readSettings();
    const labelsOf = (name: string): string[] =>
      (JSON.parse(String(after[name])) as { label: string }[]).map(({ label }) => label);
    expect(labelsOf('navigation')).toEqual(['Tides', 'Harbours', 'Home', 'About']);
    expect(labelsOf('secondary_navigation').at(-1)).toBe('Map');
    const changed = Object.keys(after).filter((key) => after[key] !== before[key]);
    expect(changed.toSorted()).toEqual(
      ['accent_color', 'navigation', 'secondary_navigation', 'timezone', 'title'].toSorted(),
    );
  });

  test('a tag is made, described with a picture of its search result, and deleted', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('link', { name: 'New tag' }).click();
    await page.getByLabel('Name').fill('Shipwrecks');
    await press(page, 'Save');
    await seen(page, 'Saved.');
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    await page.getByText('Search engines').click();
    await page.getByLabel('Meta title').fill('Wrecks of the coast');
    const result = page.getByRole('figure', { name: 'As a search result' });
    await result.getByText('Wrecks of the coast').waitFor();
    await page.getByLabel('Slug').fill('wrecks');
    await page.getByText(/^Links to .*\/tag\/shipwrecks\/ will lead to no page/).waitFor();
    await press(page, 'Save');
    await page.getByText(/^Links to /).waitFor({ state: 'detached' });
    const { tags } = (await serving.admin('GET', `/tags/${id}/`)) as { tags: [Tag] };
    expect(tags[0]).toMatchObject({
      ...{ name: 'Shipwrecks', slug: 'wrecks', meta_title: 'Wrecks of the coast' },
    });
    page.once('dialog', (dialog) => void dialog.accept());
    await press(page, 'Delete');
    await page.getByLabel('Search names').fill('shipwr');
    await seen(page, 'Nothing is found.');
  });

  test('posts are found by tag and by author, and a list of them by its address', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    await open(page, 'tags');
    await page.locator('li', { hasText: 'Galley' }).getByRole('link', { name: '2 posts' }).click();
    await seen(page, '2 posts');
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('galley');
    const { users } = (await serving.admin('GET', '/users/?include=count.posts')) as {
      users: { name: string; slug: string; count: { posts: number } }[];
    };
    const [user] = users;
    await page.getByLabel('Tag', { exact: true }).selectOption('');
    await page.getByLabel('Author').selectOption(user?.name ?? '');
    const filter = `author:${user?.slug}`;
    const { meta } = (await serving.admin('GET', `/posts/?filter=${filter}`)) as {
      meta: { pagination: { total: number } };
    };
    const { total } = meta.pagination;
    await seen(page, total === 1 ? '1 post' : `${total} posts`);
    expect(new URL(page.url()).hash).toBe(`#/posts?author=${user?.slug}`);
  });

  test('its views fit a phone in the dark, in both directions, without a serious fault', async () => {
    const page = await openPage(browser(), PHONE);
    await signIn(page, serving);
    const { tags } = (await serving.admin('GET', '/tags/?limit=1')) as { tags: [Tag] };
    for (const view of ['posts', 'tags', `tags/${tags[0].id}`, 'settings', 'overview']) {
      await open(page, view);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      expect([view, await faultsOf(page)]).toEqual([view, [[], []]]);
    }
  });
});
