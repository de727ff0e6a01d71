// The publication at the desk in a browser: its settings and navigation, its tags, and posts found by tag and author. Each
// view fits a phone in either direction of writing, in the dark too, and works by keyboard alone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeIn } from '../../src/serve/desk/ui/zone-time.ts';
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
type Named = { readonly id: string; readonly name: string };
type Post = Named & { readonly tags: readonly Named[]; readonly authors: readonly Named[] };
type Timed = Named & { readonly created_at: string; readonly revoked_at?: string };
type Made = Readonly<Record<string, readonly Timed[]>>;
type Pending = { readonly pending_senders: readonly { readonly expires_at: string }[] };
type Tag = Readonly<Record<'id' | 'name' | 'slug' | 'description' | 'og_title', string | null>>;

describe.skipIf(reason !== null)(`the publication at the desk ${reason ?? ''}`, () => {
  const suite = suiteFolder();
  const browser = launchChromium();
  let serving: Serving;

  beforeAll(async () => {
    const environment = { PREPRESS_PREVIEW_LINKS: 'on' };
    serving = await startServing(suite.path, { args: ['--sample'], environment });
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
    await section.getByLabel('Label of link 4').fill('Map');
    await section.getByLabel('Address of link 4').fill('/map/');
    await section.getByRole('button', { name: 'Add a link' }).click();
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
    await page.getByLabel('Name').fill('Unsaved');
    // Asked once, and nothing of what is unsaved.
    page.once('dialog', (dialog) => void dialog.accept());
    await press(page, 'Delete');
    await page.getByLabel('Search names').fill('shipwr');
    await seen(page, 'Nothing found.');
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

  test('every view shows times of the publication, wherever its reader is', async () => {
    const zone = 'Pacific/Kiritimati';
    await serving.admin('PUT', '/settings/', { settings: [{ key: 'timezone', value: zone }] });
    const read = async (path: string): Promise<Made> => (await serving.admin('GET', path)) as Made;
    const make = async (kind: string, record: object): Promise<Timed> => {
      const made = (await serving.admin('POST', `/${kind}/`, { [kind]: [record] })) as Made;
      return made[kind]?.[0] as Timed;
    };
    const address = 'far@example.com';
    const member = await make('members', { email: address });
    await make('newsletters', { name: 'Far', sender_email: address });
    const { id } = await make('keys', { type: 'content', name: 'Far' });
    await serving.admin('DELETE', `/keys/${id}/`);
    const target = { event: 'post.published', target_url: 'https://far.invalid/' };
    await serving.admin('POST', `/webhooks/${(await make('webhooks', target)).id}/test/`);
    const key = (await read('/keys/')).keys?.find((one) => one.id === id);
    const [delivery] = (await read('/deliveries/')).deliveries ?? [];
    const { desk } = (await serving.admin('GET', '/desk/')) as { desk: Pending };
    const page = await openPage(browser(), { timezoneId: 'America/Los_Angeles' });
    await signIn(page, serving);
    for (const [view, words, at] of [
      ['members', 'since ', member.created_at],
      [`members/${member.id}`, '', member.created_at],
      ['newsletters', 'works until ', desk.pending_senders[0]?.expires_at],
      ['keys', 'revoked ', key?.revoked_at],
      ['webhooks', '', delivery?.created_at],
    ] as const) {
      await open(page, view);
      await seen(page, new RegExp(`${words}${timeIn(at, zone)}`));
    }
  });

  test('all of a post is edited beside its text, in the time of the publication', async () => {
    await serving.admin('PUT', '/settings/', {
      settings: [{ key: 'timezone', value: 'Europe/Berlin' }],
    });
    const found = '/posts/?filter=slug:where-old-rope-goes&include=tags,authors';
    const read = async () => ((await serving.admin('GET', found)) as { posts: [Post] }).posts[0];
    const before = await read();
    const page = await openPage(browser());
    await signIn(page, serving);
    await open(page, `posts/${before.id}`);
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('Language');
    await tags.press('Enter');
    await tags.fill('Rope');
    await page.getByRole('button', { name: 'Move Language up' }).click();
    await page.getByText('Date', { exact: true }).click();
    await page.getByLabel('Published at').fill('2025-07-01T09:30');
    await page.getByText(/^Europe\/Berlin; .* at this computer$/).waitFor();
    const { users } = (await serving.admin('GET', '/users/')) as { users: { name: string }[] };
    const other = users.map(({ name }) => name).find((name) => name !== before.authors[0]?.name);
    await page.getByLabel('Add an author').selectOption(other ?? '');
    await page.getByRole('button', { name: `Move ${other} up` }).press('Enter');
    await page.getByText('Facebook', { exact: true }).click();
    await page.getByLabel('Facebook title').fill('Rope, again');
    const card = page.getByRole('figure', { name: 'As a card on Facebook' });
    await card.getByText('Rope, again').waitFor();
    await page.getByText('Code, template and canonical address').click();
    await page.getByLabel('Code at the head of the page').fill('<meta name="a">');
    await page.getByLabel('Template').fill('custom-wide');
    await page.getByLabel('Slug').fill('rope');
    await page.getByText(/^Readers have it at .*\/where-old-rope-goes\/\. Links to that/).waitFor();
    await page.getByLabel('Slug').fill('where-old-rope-goes');
    await press(page, 'Update');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    const after = await read();
    expect(after).toMatchObject({
      published_at: '2025-07-01T07:30:00.000Z',
      og_title: 'Rope, again',
      codeinjection_head: '<meta name="a">',
      custom_template: 'custom-wide',
    });
    const namesOf = (records: readonly { readonly name: string }[]): string[] =>
      records.map(({ name }) => name);
    expect(namesOf(after.authors)).toEqual([other, ...namesOf(before.authors)]);
    const tagsBefore = namesOf(before.tags);
    expect(namesOf(after.tags)).toEqual([
      ...tagsBefore.slice(0, -1),
      'Language',
      ...tagsBefore.slice(-1),
      'Rope',
    ]);
  });

  test('the link to a page is offered once the page is there, or where another program makes pages', async () => {
    const post = { title: 'Seen', html: '<p>Seen.</p>', status: 'published' };
    const made = await serving.admin('POST', '/posts/?source=html', { posts: [post] });
    const { id } = (made as { posts: [Post] }).posts[0];
    const page = await openPage(browser());
    await page.route('**/seen/', (route) => route.fulfill({ status: 404 }));
    await signIn(page, serving);
    await open(page, `posts/${id}`);
    await seen(page, 'Its page is not ready yet.');
    const link = page.getByRole('link', { name: 'View post' });
    expect(await link.count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/\/seen\/$/);
    await page.locator('[aria-label="Body of the post"]').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await page.route('**/admin/desk/', async (route) => {
      const response = await route.fetch();
      const { desk } = (await response.json()) as { desk: object };
      await route.fulfill({ response, json: { desk: { ...desk, has_pages: false } } });
    });
    await page.reload();
    await link.waitFor();
    // This server itself has no pages then.
    await page.route(`**/posts/${id}/**`, async (route) => {
      const response = await route.fetch();
      const { posts } = (await response.json()) as { posts: [Post] };
      const url = `${serving.url}/seen/`;
      await route.fulfill({ response, json: { posts: [{ ...posts[0], url }] } });
    });
    await page.reload();
    await page.getByText(/^Published \d/).waitFor();
    expect(await link.count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a draft is previewed as the page for readers at three widths, and nothing of it runs', async () => {
    const fetching = `<style>body{background:url(${serving.url}/fetched-style)}</style>`;
    const drawn = '<svg><style>rect { fill: rgb(1, 2, 3) }</style><rect /></svg>';
    const html = '<p>Soon.</p>';
    const codeinjection_head = `${fetching}<script>parent.ran = true</script>`;
    const made = await serving.admin('POST', '/posts/?source=html', {
      posts: [{ title: 'Soon', html, codeinjection_head, codeinjection_foot: drawn }],
    });
    const { id } = (made as { posts: [Post] }).posts[0];
    const page = await openPage(browser(), { viewport: { width: 1280, height: 900 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await signIn(page, serving);
    await open(page, `posts/${id}`);
    await press(page, 'Preview');
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Soon', level: 1 }).waitFor();
    await frame.getByRole('navigation', { name: 'Sections' }).getByText('Tides').waitFor();
    expect(await frame.locator('svg style').count()).toBe(1);
    const widths: unknown[] = [];
    for (const name of ['Phone', 'Tablet', 'Desktop']) {
      await page.getByRole('radio', { name }).check();
      widths.push(await page.evaluate("document.querySelector('iframe').offsetWidth"));
    }
    expect(widths.slice(0, 2)).toEqual([375, 768]);
    expect(Number(widths[2])).toBeGreaterThan(1000);
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate('self.ran')).toBe(undefined);
    expect(asked.filter((url) => url.includes('/fetched-'))).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'Copy preview link');
    const link = await page.locator('.secret code').innerText();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    expect(await (await fetch(link)).text()).toContain('<p>Soon.</p>');
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });

    // Where no pages are made.
    await page.route('**/preview/', (route) =>
      route.fulfill({ json: { preview: { html: null } } }),
    );
    await press(page, 'Preview');
    await frame.getByText('Soon.', { exact: true }).waitFor();
    expect(await frame.getByRole('navigation').count()).toBe(0);
  });

  test('above a post on a wide screen, navigation is one line', async () => {
    const page = await openPage(browser(), { viewport: { width: 1280, height: 900 } });
    await signIn(page, serving);
    await open(page, 'posts/new');
    await page.getByLabel('Title', { exact: true }).waitFor();
    const tops = 'new Set([...document.querySelectorAll("nav a")].map((link) => link.offsetTop))';
    expect(await page.evaluate(`[...${tops}].length`)).toBe(1);
    const heights =
      'Math.max(...[...document.querySelectorAll("nav a")].map((a) => a.offsetHeight))';
    expect(await page.evaluate(heights)).toBeLessThan(48);
  });

  test('its views fit a phone in the dark, in both directions, without a serious fault', async () => {
    const page = await openPage(browser(), PHONE);
    await signIn(page, serving);
    const { tags } = (await serving.admin('GET', '/tags/?limit=1')) as { tags: [Tag] };
    const { posts } = (await serving.admin('GET', '/posts/?limit=1')) as { posts: [Post] };
    const post = `posts/${posts[0].id}`;
    for (const view of ['posts', post, 'tags', `tags/${tags[0].id}`, 'settings', 'overview']) {
      await open(page, view);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      expect([view, await faultsOf(page)]).toEqual([view, [[], []]]);
    }
  });
});
