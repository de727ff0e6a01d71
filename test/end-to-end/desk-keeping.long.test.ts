// What is written at the desk stays: a draft saves itself, what is not saved is there again after the page was closed, and
// html and the editor are two ways to write one text.
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  adminKeyOf,
  launchChromium,
  openSample,
  press,
  seen,
  signIn,
} from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { openShell, type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '[aria-label="Body of the post"]';

type Post = { readonly id: string; readonly html: string; readonly lexical: string };

const idOf = (page: Page): string => new URL(page.url()).hash.split('/').at(-1) ?? '';

const readPost = async ({ admin }: Serving, id: string): Promise<Post> => {
  const { posts } = (await admin('GET', `/posts/${id}/?formats=html,lexical`)) as { posts: [Post] };
  return posts[0];
};

const createPost = async ({ admin }: Serving, fields: object): Promise<Post> => {
  const made = await admin('POST', '/posts/?source=html', { posts: [fields] });
  return (made as { posts: [Post] }).posts[0];
};

describe.skipIf(reason !== null)(`what the desk keeps ${reason ?? ''}`, () => {
  const browser = launchChromium();

  test('a draft saves itself; one event tells of a sitting', async () => {
    const { serving, page } = await openSample(browser());
    const webhook = { event: 'post.edited', target_url: 'http://127.0.0.1:4999/' };
    await serving.admin('POST', '/webhooks/', { webhooks: [webhook] });
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await page.getByLabel('Title', { exact: true }).fill('Tide');
    await page.locator(AREA).click();
    let html = '';
    for (const word of ['One.', ' Two.', ' Three.']) {
      html += word;
      await page.keyboard.type(word);
      await seen(page, 'Nothing to save');
      await eventually(async () =>
        expect(await readPost(serving, idOf(page))).toMatchObject({ html: `<p>${html}</p>` }),
      );
    }
    await page.waitForFunction('localStorage.length === 0');
    const told = openShell(serving.folder).prepare('SELECT count(*) AS n FROM deliveries');
    await page.keyboard.type(' Four.');
    await page.keyboard.press('Control+s');
    await eventually(async () => expect(told.get()).toEqual({ n: 1 }));
    await page.keyboard.type(' Five.');
    await seen(page, 'Nothing to save');
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await eventually(async () => expect(told.get()).toEqual({ n: 2 }));
    await page.goBack();
    await page.locator(AREA).getByText(html).click();
    await page.keyboard.type('Six. ');
    await seen(page, 'Nothing to save');
    await page.goto('about:blank');
    await eventually(async () => expect(told.get()).toEqual({ n: 3 }));
  });

  test('a draft is saved as soon as there is a network again', async () => {
    const { serving, page } = await openSample(browser());
    const { id } = await createPost(serving, { title: 'Surge', html: '<p>One.</p>' });
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.locator(AREA).getByText('One.').click();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.context().setOffline(true);
    await page.keyboard.press('End');
    await page.keyboard.type(' Two.');
    await page.clock.runFor(5_000);
    // As of any server on this computer.
    await seen(page, 'The server does not answer. Wait a moment, then try again.');
    await page.context().setOffline(false);
    await eventually(async () =>
      expect(await readPost(serving, id)).toMatchObject({ html: '<p>One. Two.</p>' }),
    );
  });

  test('a first save whose answer is lost is found again, by a page that was loaded anew too', async () => {
    const { serving, page } = await openSample(browser());
    const drafts = async (title: string): Promise<object[]> => {
      const query = new URLSearchParams({ filter: `title:'${title}'`, formats: 'html' });
      const { posts } = (await serving.admin('GET', `/posts/?${query}`)) as { posts: Post[] };
      return posts.map(({ id, html }) => ({ id, html }));
    };
    page.on('dialog', (dialog) => dialog.accept());
    for (const [title, isLoadedAnew] of [
      ['Lost', false],
      ['Lost too', true],
    ] as const) {
      await page.goto(`${serving.url}/desk/#/posts/new`);
      await page.getByLabel('Title', { exact: true }).fill(title);
      await page.locator(AREA).click();
      await page.keyboard.type('One.');
      const loseAnswer = async (route: Route): Promise<void> => {
        await route.fetch();
        await route.abort('connectionreset');
      };
      await page.route(/admin\/posts\/\?formats/, loseAnswer, { times: 1 });
      await page.keyboard.press('Control+s');
      await seen(page, 'The server does not answer. Wait a moment, then try again.');
      await page.keyboard.type(' Two.');
      if (isLoadedAnew) {
        await page.reload();
        await page.getByText(/^What was not saved here, last changed /).waitFor();
      }
      await page.locator(AREA).getByText('One. Two.').click();
      await page.keyboard.press('Control+s');
      await page.waitForURL(/#\/posts\/[0-9a-f]{24}$/);
      await seen(page, 'Nothing to save');
      expect(await drafts(title)).toEqual([{ id: idOf(page), html: '<p>One. Two.</p>' }]);
      await page.waitForFunction('localStorage.length === 0');
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
    }
  });

  test('a title of any length is seen whole on a phone, is one line, and leads to the text', async () => {
    const { serving, page } = await openSample(browser(), {
      viewport: { width: 360, height: 740 },
    });
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await page.locator(AREA).waitFor();
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Tides and what they leave behind\non a long beach in the north');
    expect(await title.inputValue()).not.toContain('\n');
    const hidden = '[it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight]';
    const found = `(it => ${hidden})(document.getElementById('post-title'))`;
    expect(await page.evaluate(found)).toEqual([0, 0]);
    await title.press('Enter');
    await page.keyboard.type('Text.');
    await page.locator(AREA).getByText('Text.', { exact: true }).waitFor();
    expect(await title.inputValue()).toBe(
      'Tides and what they leave behind on a long beach in the north',
    );
    // Tab stays in the text.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Publish');
  });

  test('a text of the editor stays in the browser while the server cannot render it', async () => {
    const { serving, page } = await openSample(browser());
    const { id } = await createPost(serving, {
      ...{ title: 'Ebb', html: '<p>Stored.</p>', status: 'published' },
    });
    const address = `${serving.url}/desk/#/posts/${id}`;
    await page.goto(address);
    await page.locator(AREA).getByText('Stored.').click();
    await page.keyboard.type('Typed. ');
    const kept = () => page.evaluate('JSON.stringify({ ...localStorage })');
    await eventually(async () => expect(await kept()).toContain('Typed. '));
    page.on('dialog', (dialog) => dialog.accept());
    await page.route(/admin\/desk\//, async (route) => {
      const { desk } = await (await route.fetch()).json();
      await route.fulfill({ json: { desk: { ...desk, editor_install: 'npm install editor' } } });
    });
    await page.reload();
    await page.getByText(/Unsaved text from the editor stays in this browser/).waitFor();
    expect(await page.locator('.editor').count()).toBe(0);
    expect(await page.getByLabel('Text, as HTML').count()).toBe(0);
    await page.unrouteAll();
    await page.reload();
    await page.locator(AREA).getByText('Typed. ').waitFor();
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
  });

  test('what is not saved of a published post is back after its page was closed, until it is discarded', async () => {
    const { serving, page } = await openSample(browser());
    const fields = { title: 'Ebb', html: '<p>Stored.</p>', status: 'published' };
    const { id } = await createPost(serving, fields);
    const address = `${serving.url}/desk/#/posts/${id}`;
    await page.goto(address);
    await page.locator(AREA).getByText('Stored.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Typed.');
    await page.getByLabel('Title', { exact: true }).fill('Flood');
    await eventually(async () =>
      expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toContain('Flood'),
    );
    await page.close({ runBeforeUnload: false });
    const next = await page.context().newPage();
    await next.goto(address);
    await next.getByLabel('Admin key').fill(adminKeyOf(serving));
    await press(next, 'Sign in');
    await next.getByText(/^What was not saved here, last changed /).waitFor();
    await next.locator(AREA).getByText('Stored. Typed.').waitFor();
    expect(await next.getByLabel('Title', { exact: true }).inputValue()).toBe('Flood');
    expect(await readPost(serving, id)).toMatchObject({ title: 'Ebb', html: '<p>Stored.</p>' });
    await press(next, 'discard it');
    await seen(next, 'Nothing to save');
    await next.locator(AREA).getByText('Stored.', { exact: true }).waitFor();
    await eventually(async () => expect(await next.evaluate('localStorage.length')).toBe(0));
  });

  test('what was written is there again after the editor, or the view, failed', async () => {
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    // It says on its console what failed.
    const page = await browser().newPage();
    await signIn(page, serving);
    const fields = { title: 'Ebb', html: '<p>Stored.</p>', status: 'published' };
    const { id } = await createPost(serving, fields);
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.locator(AREA).getByText('Stored.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Typed.');
    // The menu of what is selected asks for it.
    await page.evaluate(`Object.defineProperty(Object.prototype, 'createSnippet', {
      configurable: true, get() { throw new Error('It fails.'); } })`);
    await page.keyboard.press('Control+a');
    await seen(page, 'The editor failed. What you wrote until then is kept.');
    await page.evaluate('delete Object.prototype.createSnippet');
    await press(page, 'Open it again');
    await page.locator(AREA).getByText('Stored. Typed.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' More.');

    await page.route(/revisions/, (route) => route.fulfill({ json: {} }));
    await page.getByText('Revisions', { exact: true }).click();
    await page.getByText(/^This view failed\./).waitFor();
    await page.getByText('Texts from the fields of the view that failed').click();
    await seen(page, 'Stored. Typed. More.');
    await page.unrouteAll();
    await press(page, 'Open it again');
    await page.locator(AREA).getByText('Stored. Typed. More.').waitFor();
    await page.getByText(/^What was not saved here, last changed /).waitFor();
    await page.context().close();
  });

  test('what is not saved in one tab stays in the browser when another tab saves the post', async () => {
    const { serving, page } = await openSample(browser());
    const fields = { title: 'Ebb', html: '<p>Stored.</p>', status: 'published' };
    const { id } = await createPost(serving, fields);
    const kept = () => page.evaluate('JSON.stringify({ ...localStorage })');
    const other = await page.context().newPage();
    await other.goto(`${serving.url}/desk/`);
    await other.getByLabel('Admin key').fill(adminKeyOf(serving));
    await press(other, 'Sign in');
    await other.getByRole('heading', { name: 'Posts', exact: true }).waitFor();
    for (const [tab, words] of [
      [page, ' Here.'],
      [other, ' There.'],
    ] as const) {
      await tab.goto(`${serving.url}/desk/#/posts/${id}`);
      await tab.locator(AREA).getByText('Stored.').click();
      await tab.keyboard.press('End');
      await tab.keyboard.type(words);
      await eventually(async () => expect(await kept()).toContain(words));
    }
    // What the other tab hears of the removal follows it.
    await other.evaluate("addEventListener('storage', () => { document.title = 'heard' })");
    await press(page, 'Update');
    await seen(page, 'Nothing to save');
    await other.waitForFunction("document.title === 'heard'");
    expect(await kept()).toContain(' There.');
    other.on('dialog', (dialog) => dialog.accept());
  });

  test('each new post has a copy of its own until somebody signs out; what is refused is not sent again', async () => {
    const { serving, page } = await openSample(browser());
    const context = page.context();
    const writes: string[] = [];
    await context.route(/admin\/posts\//, (route) => {
      const method = route.request().method();
      if (method !== 'POST') return route.continue();
      writes.push(method);
      return route.fulfill({ status: 422, json: { errors: [{ message: 'Refused here.' }] } });
    });
    const openNew = async (on: Page, title: string): Promise<void> => {
      await on.goto(`${serving.url}/desk/#/posts/new`);
      await on.getByLabel('Title', { exact: true }).fill(title);
      await eventually(async () =>
        expect(await on.evaluate('JSON.stringify({ ...localStorage })')).toContain(title),
      );
    };
    await openNew(page, 'Reef');
    const other = await context.newPage();
    await other.goto(`${serving.url}/desk/`);
    await other.getByLabel('Admin key').fill(adminKeyOf(serving));
    await press(other, 'Sign in');
    await openNew(other, 'Shoal');
    expect(await page.evaluate('localStorage.length')).toBe(2);
    await page.clock.install();
    await page.locator(AREA).click();
    await page.clock.runFor(5_000);
    await seen(page, 'Refused here.');
    await page.clock.runFor(40_000);
    expect(writes).toHaveLength(1);
    await page.locator(AREA).pressSequentially('More.');
    await page.clock.runFor(5_000);
    await eventually(async () => expect(writes).toHaveLength(2));
    await other.close({ runBeforeUnload: false });
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
    page.once('dialog', (dialog) => dialog.dismiss());
    await press(page, 'Sign out');
    expect(await page.evaluate('localStorage.length')).toBe(2);
    page.once('dialog', (dialog) => dialog.accept());
    await press(page, 'Sign out');
    await page.getByLabel('Admin key').waitFor();
    await eventually(async () => expect(await page.evaluate('localStorage.length')).toBe(0));
  });

  test('a revision that is taken back stands in the editor, and is saved by hand alone', async () => {
    const { serving, page } = await openSample(browser());
    const { id } = await createPost(serving, { title: 'Low', html: '<p>Before.</p>' });
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.getByLabel('Title', { exact: true }).fill('High');
    await page.locator(AREA).getByText('Before.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' After.');
    await page.keyboard.press('Control+s');
    await seen(page, 'Nothing to save');
    await page.getByText('Revisions', { exact: true }).click();
    await page.clock.install();
    await page
      .getByRole('button', { name: /^Restore/ })
      .last()
      .click();
    await page.locator(AREA).getByText('Before.', { exact: true }).waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Low');
    await page.clock.runFor(20_000);
    await seen(page, 'Not saved yet');
    expect(await readPost(serving, id)).toMatchObject({ html: '<p>Before. After.</p>' });
    await page.keyboard.press('Control+s');
    await eventually(async () =>
      expect(await readPost(serving, id)).toMatchObject({ title: 'Low', html: '<p>Before.</p>' }),
    );
  });

  test('a text is written as html and in the editor by turns, and what has no block is a card', async () => {
    const { serving, page } = await openSample(browser());
    const { id } = await createPost(serving, { title: 'Turns', html: '<p>One.</p>' });
    const before = await readPost(serving, id);
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.locator(AREA).waitFor();
    const field = page.getByLabel('Text, as HTML');
    await press(page, 'Write as HTML');
    expect(await field.inputValue()).toBe('<p>One.</p>');
    await press(page, 'Write in the editor');
    await page.locator(AREA).getByText('One.').click();
    await seen(page, 'Nothing to save');
    await page.keyboard.press('End');
    await page.keyboard.type(' Two.');
    await press(page, 'Write as HTML');
    await eventually(async () => expect(await field.inputValue()).toBe('<p>One. Two.</p>'));
    const video = '<video src="https://example.org/a.mp4" controls></video>';
    await field.fill(`<p>One. Two.</p>${video}<p>Three.</p>`);
    await press(page, 'Write in the editor');
    await page.locator(AREA).getByText('Three.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Four.');
    await page.keyboard.press('Control+s');
    await eventually(async () =>
      expect((await readPost(serving, id)).html).toContain('<p>Three. Four.</p>'),
    );
    const { html, lexical } = await readPost(serving, id);
    expect(html).toContain(video);
    expect(JSON.parse(lexical).root.children[1]).toMatchObject({ type: 'html', html: video });
    expect(lexical).not.toBe(before.lexical);
  });

  test('html that came without a document is one card until somebody asks to write it in the editor', async () => {
    const { serving, page } = await openSample(browser());
    const { id } = await createPost(serving, { title: 'Alone', html: '<p>One.</p><p>Two.</p>' });
    openShell(serving.folder).prepare('UPDATE posts SET lexical = NULL WHERE id = ?').run(id);
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.locator(`${AREA} [data-kg-card="html"]`).waitFor();
    await seen(page, 'Nothing to save');
    await press(page, 'Write as HTML');
    await page.getByLabel('Text, as HTML').waitFor();
    await seen(page, 'Nothing to save');
    await press(page, 'Write in the editor');
    await page.locator(AREA).getByText('Two.', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Three.');
    await page.keyboard.press('Control+s');
    await eventually(async () =>
      expect((await readPost(serving, id)).html).toBe('<p>One.</p><p>Two. Three.</p>'),
    );
  });
});
