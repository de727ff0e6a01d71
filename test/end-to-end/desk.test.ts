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
  seen,
  signIn,
} from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '.editor-area';

type Post = {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly status: string;
  readonly updated_at: string;
};

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
    await page.getByRole('heading', { name: 'State', exact: true }).waitFor();
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
    await title.fill('Tide');
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
    await page.getByText(/ in another window, or by a program\. Changed there: title\.$/).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await press(page, 'Save mine over it');
    await seen(page, 'Saved as a draft.');
    expect(await title.inputValue()).toBe('Theirs');
    await press(page, 'Publish');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    const path = `/content/posts/${id}/?key=${serving.contentKey}`;
    await eventually(async () => {
      const { posts } = (await (await serving.get(path)).json()) as { posts?: [Post] };
      expect(posts?.[0]).toMatchObject({ title: 'Theirs', html: '<p>One. Two. Three.</p>' });
    });

    await serving.admin('DELETE', `/posts/${id}/`);
    await typeText(page, ' Kept.');
    await press(page, 'Save');
    await page.getByText('This was deleted elsewhere, so nothing was saved.').waitFor();
    expect(await page.locator(AREA).innerText()).toContain('Kept.');
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
    await page.getByText(/^1 member imported with the label .*, 1 line not taken\.$/).waitFor();
    await page.getByText(/^Line 3: /).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });
});
