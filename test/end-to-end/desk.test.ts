// A day at the desk in a browser, with one server: the key, writing and publishing, a post that others changed meanwhile,
// what is typed while a save runs, and members. Nothing that was typed is lost, and what is wrong is said.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  adminKeyOf,
  findFaults,
  launchChromium,
  openPage,
  press,
  pressAsked,
  seen,
  signIn,
} from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { openShell, type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '[aria-label="Body of the post"]';

type Post = {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly status: string;
  readonly updated_at: string;
};

/** As Google Docs gives it. Code for the page, as a text: tests have no types of a browser. */
const PASTE = `{
  const clipboardData = new DataTransfer();
  const html = '<b style="font-weight:normal"><p><span>Plain </span><span style="font-weight:700">bold</span></p></b>';
  clipboardData.setData('text/html', html);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.querySelector('${AREA}').dispatchEvent(event);
}`;

describe.skipIf(reason !== null)(`the desk ${reason ?? ''}`, () => {
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

  const readPost = async (id: string): Promise<Post> => {
    const path = `/posts/${id}/?formats=html`;
    return ((await serving.admin('GET', path)) as { posts: [Post] }).posts[0];
  };

  const typeText = async (page: Page, words: string): Promise<void> => {
    await page.locator(AREA).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(words);
  };

  test('the key stays in the tab, and tokens are sent to the admin interface alone', async () => {
    const page = await openPage(browser());
    const asked: string[] = [];
    page.on('request', (request) => {
      asked.push([request.url(), JSON.stringify(request.headers()), request.postData()].join(' '));
    });
    await signIn(page, serving);
    const key = adminKeyOf(serving);
    const kept = () =>
      page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(await kept()).toBe(JSON.stringify([{ 'prepress-admin-key': key }, {}]));
    const withToken = asked.filter((one) => one.includes('Ghost ey'));
    expect(withToken.length).toBeGreaterThan(3);
    expect(withToken.every((one) => one.startsWith(`${serving.url}/admin/`))).toBe(true);
    expect(asked.every((one) => one.startsWith(`${serving.url}/`))).toBe(true);
    expect(asked.join()).not.toContain(key.split(':')[1]);
    expect(await findFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor();
    await press(page, 'Sign out');
    await page.getByLabel('Admin key').waitFor();
    await seen(page, 'npx prepress status --secrets');
    expect(await kept()).toBe('[{},{}]');
  });

  test('a post is written, saved while more is typed, changed elsewhere meanwhile, and published', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await page.getByRole('link', { name: 'New post' }).click();
    await page.locator(AREA).waitFor();
    const title = page.getByLabel('Title', { exact: true });
    // The cursor stands in it.
    await page.keyboard.type('Tide');
    await typeText(page, 'One.');
    await press(page, 'Save draft');
    await seen(page, 'Saved as a draft.');
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    expect(await readPost(id)).toMatchObject({ title: 'Tide', html: '<p>One.</p>' });

    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/admin/posts/**', async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    await typeText(page, ' Two.');
    await press(page, 'Save draft');
    await seen(page, 'Saving…');
    await typeText(page, ' Three.');
    letGo();
    await seen(page, 'Saved as a draft.');
    await seen(page, 'Not saved yet');
    await page.unrouteAll({ behavior: 'wait' });
    const saved = await readPost(id);
    expect(saved.html).toBe('<p>One. Two.</p>');

    // Somebody else changes it, and it is still unsaved here: leaving asks, a save says so.
    const theirs = { posts: [{ title: 'Theirs', updated_at: saved.updated_at }] };
    await serving.admin('PUT', `/posts/${id}/`, theirs);
    const asking = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'Posts', exact: true }).click();
    await (await asking).dismiss();
    await leaving;
    await press(page, 'Save draft');
    await page
      .getByText(/ in another window, or by a program\. Changed there: title, slug\.$/)
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    await press(page, 'Overwrite with mine');
    await seen(page, 'Saved as a draft.');
    expect(await title.inputValue()).toBe('Theirs');
    await pressAsked(page, 'Publish', 'Publish now');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    const path = `/content/posts/${id}/?key=${serving.contentKey}`;
    await eventually(async () => {
      const { posts } = (await (await serving.get(path)).json()) as { posts?: [Post] };
      expect(posts?.[0]).toMatchObject({ title: 'Theirs', html: '<p>One. Two. Three.</p>' });
    });

    await serving.admin('DELETE', `/posts/${id}/`);
    await typeText(page, ' Kept.');
    await press(page, 'Update');
    await page.getByText('This was deleted elsewhere, so nothing was saved.').waitFor();
    expect(await page.locator(AREA).innerText()).toContain('Kept.');
  });

  test('an address that changes as soon as the desk is shown leads there', async () => {
    const page = await openPage(browser());
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (document.querySelector('h1')?.textContent !== 'Posts') return;
      observer.disconnect();
      location.hash = '#/posts/new';
    }).observe(document, { subtree: true, childList: true })`);
    await page.goto(`${serving.url}/desk/`);
    await page.getByLabel('Admin key').fill(adminKeyOf(serving));
    await press(page, 'Sign in');
    await page.locator(AREA).waitFor();
  });

  test('Enter moves on and sends nothing; what readers notice is asked for, once', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    const sent: string[] = [];
    page.on('request', (request) => {
      const { posts: [post] = [] } = (request.postDataJSON() ?? {}) as { posts?: Partial<Post>[] };
      if (post !== undefined) sent.push(`${request.method()} ${post.status ?? post.title ?? ''}`);
    });
    const focused = (): Promise<unknown> =>
      page.evaluate(
        'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent',
      );
    const title = page.getByLabel('Title', { exact: true });
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    const question = page.getByRole('dialog');
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await page.locator(AREA).waitFor();
    expect(await publish.isDisabled()).toBe(true);
    await seen(page, 'Write a title or a text before you publish it.');
    await title.fill('Ebb');
    await title.press('Enter');
    await page.keyboard.type('Low water.');
    const slug = page.getByLabel('Slug');
    await slug.fill('low-tide');
    for (const [field, next] of [
      [page.getByRole('combobox', { name: 'Tags' }), 'Excerpt'],
      [slug, 'Access'],
    ] as const) {
      await field.press('Enter');
      expect(await focused()).toBe(next);
    }
    await page.getByLabel('Access').selectOption('Members');

    // Two clicks, and then two keys, agree to nothing.
    await publish.dblclick();
    const facts = ['TitleEbb', 'Address', '/low-tide/', 'ReadersMembers', 'TimeNow'];
    const named = await question.locator('dl').textContent();
    for (const fact of facts) expect(named).toContain(fact);
    expect(await focused()).toMatch(/^Publish this post\?/);
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Publish');
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Enter');
    const yes = question.getByRole('button', { name: 'Publish now' });
    await yes.dispatchEvent('click', { detail: 2 });
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Publish now');
    await page.keyboard.press('Enter');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    await page.locator('aside:focus').waitFor();

    await title.fill('Flood');
    await title.press('Enter');
    await page.keyboard.press('Control+S');
    expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(0);
    await press(page, 'Update');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    await press(page, 'Unpublish');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await pressAsked(page, 'Unpublish', 'Unpublish');
    await seen(page, 'Saved as a draft.');

    // A date that is typed for a schedule stays while the draft is saved.
    await page.getByText('Schedule', { exact: true }).first().click();
    const at = page.getByLabel('Appears at');
    await at.fill('2041-02-03T04:05');
    await title.fill('Neap');
    await seen(page, 'Not saved yet');
    await page.keyboard.press('Control+S');
    await seen(page, 'Nothing to save');
    expect(await at.inputValue()).toBe('2041-02-03T04:05');
    expect(sent).toEqual(['POST Ebb', 'PUT published', 'PUT Flood', 'PUT draft', 'PUT Neap']);
  });

  test('every view says that the clock is behind; a post past its time waits, and is published by hand', async () => {
    const shell = openShell(serving.folder);
    const statKey = shell.prepare('UPDATE published_position SET finished_at = ?');
    const line = /^The clock says .* scheduled posts are not published\./;
    const page = await openPage(browser());
    await signIn(page, serving);
    statKey.run(Date.parse('9000-01-01'));
    const published_at = new Date(Date.now() - 100_000).toISOString();
    const late = { title: 'Late', html: '<p>Late.</p>', status: 'scheduled', published_at };
    const made = await serving.admin('POST', '/posts/?source=html', { posts: [late] });
    const { id } = (made as { posts: [Post] }).posts[0];
    for (const view of ['posts', 'members', `posts/${id}`]) {
      await page.goto(`${serving.url}/desk/#/${view}`);
      await page.getByRole('alert').getByText(line).waitFor();
    }
    await page.getByLabel('Title', { exact: true }).fill('Too late');
    await press(page, 'Update');
    await seen(page, 'Saved. It stays scheduled, though its time has passed.');
    expect(await readPost(id)).toMatchObject({ title: 'Too late', status: 'scheduled' });
    await pressAsked(page, 'Back to draft', 'Unschedule');
    await seen(page, 'Saved as a draft.');
    await pressAsked(page, 'Publish', 'Publish now');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    expect(await readPost(id)).toMatchObject({ status: 'published' });
    await page.goto(`${serving.url}/desk/#/overview`);
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await page.getByRole('alert').getByText(line).waitFor();
    expect(await page.getByText('scheduled posts are not published').count()).toBe(1);
    statKey.run(Date.now());
    await page.goto(`${serving.url}/desk/#/posts`);
    await page.getByText(line).waitFor({ state: 'detached' });
    expect(await page.getByText('scheduled posts are not published').count()).toBe(0);
  });

  test('pasted text is as bold as it was, and no stored style fetches anything', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await page.locator(AREA).click();
    await page.evaluate(PASTE);
    await press(page, 'Save draft');
    await seen(page, 'Saved as a draft.');
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    const { html, updated_at } = await readPost(id);
    expect(html).toBe('<p>Plain <strong>bold</strong></p>');

    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const style = (name: string): string =>
      `color:red;background:url(${serving.url}/fetched-${name})`;
    const text = { type: 'text', version: 1, text: 'Styled', style: style('editor') };
    const paragraph = { type: 'paragraph', version: 1, children: [text] };
    const styled = (name: string): string => `<p style="${style(name)}">Shown</p>`;
    const frame = `<iframe srcdoc="${styled('frame').replaceAll('"', '&quot;')}"></iframe>`;
    const card = { type: 'html', version: 1, html: styled('preview') + frame };
    const lexical = JSON.stringify({ root: { type: 'root', children: [paragraph, card] } });
    await serving.admin('PUT', `/posts/${id}/`, { posts: [{ lexical, updated_at }] });
    await page.reload();
    await page.locator(AREA).getByText('Styled').waitFor();
    await press(page, 'Preview');
    const preview = page.frameLocator('iframe');
    const shown = preview.getByText('Shown');
    await shown.waitFor();
    await preview.frameLocator('iframe').getByText('Shown').waitFor();
    expect(await shown.getAttribute('style')).toBe('color:red');
    await page.screenshot();
    expect(asked.filter((url) => url.includes('/fetched-'))).toEqual([]);
  });

  test('members are found, changed beside others, and come in as CSV', async () => {
    const page = await openPage(browser());
    await signIn(page, serving);
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await seen(page, '12 members');
    await page.getByLabel('Search names and addresses').fill('petrou');
    await seen(page, '1 member');
    await page.getByRole('link', { name: 'Eleni Petrou' }).click();
    const labels = page.getByLabel('Labels', { exact: true });
    await labels.press('End');
    await labels.pressSequentially(', Mine');
    await page.getByLabel('Note').fill('Writes in green ink.');
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    type Members = { members: [{ note: string; labels: { name: string }[] }] };
    const read = async () => (await serving.admin('GET', `/members/${id}/`)) as Members;
    const { members } = await read();
    const theirs = [...members[0].labels.map(({ name }) => ({ name })), { name: 'Theirs' }];
    await serving.admin('PUT', `/members/${id}/`, { members: [{ labels: theirs }] });
    await press(page, 'Save');
    await seen(page, 'Saved.');
    const [{ note, labels: kept }] = (await read()).members;
    expect(note).toBe('Writes in green ink.');
    expect(kept.map(({ name }) => name)).toEqual(expect.arrayContaining(['Mine', 'Theirs']));

    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByText('Import and export').click();
    const buffer = Buffer.from('email,name\nada@example.com,Ada\nnobody,Nobody\n');
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'm.csv', mimeType: 'text/csv', buffer });
    await press(page, 'Import 2 lines');
    await page.getByText(/^1 member imported with the label .*, 1 line skipped\.$/).waitFor();
    await page.getByText(/^Line 3: /).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });
});
