// Nothing that somebody typed at the desk is lost: not while an upload runs, not when it was changed or deleted elsewhere
// meanwhile, and not when the key is revoked; and what a post cannot be saved with is said.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  type AtDesk,
  adminKeyOf,
  findFaults,
  launchChromium,
  openSample,
  press,
  pressAsked,
  seen,
} from '../helpers/desk-browser.ts';
import { openShell, type Serving } from '../helpers/serve.ts';
import { pngOf } from '../helpers/upload-files.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '[aria-label="Body of the post"]';
const SCHEDULED = { status: 'scheduled', published_at: '2040-01-01T00:00:00.000Z' };

type Named = { readonly id: string; readonly name: string };

type Post = {
  readonly id: string;
  readonly status: string;
  readonly visibility: string;
  readonly tiers: readonly Named[];
  readonly title: string;
  readonly html: string | null;
  readonly custom_excerpt: string | null;
  readonly feature_image: string | null;
  readonly published_at: string | null;
  readonly updated_at: string;
};

const readPost = async ({ admin }: Serving, id: string): Promise<Post> => {
  const { posts } = (await admin('GET', `/posts/${id}/?formats=html`)) as { posts: [Post] };
  return posts[0];
};

const createPost = async ({ admin }: Serving, fields: object): Promise<Post> => {
  const body = { posts: [{ html: '<p>One.</p>', ...fields }] };
  const { posts } = (await admin('POST', '/posts/?source=html', body)) as { posts: [Post] };
  return posts[0];
};

/** Holds requests of a method back until the returned function is called. */
const hold = async (page: Page, method: string): Promise<() => Promise<void>> => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/admin/**', async (route) => {
    if (route.request().method() === method) await held;
    await route.continue();
  });
  return async () => {
    letGo();
    await page.unrouteAll({ behavior: 'wait' });
  };
};

const typeText = async (page: Page, words: string): Promise<void> => {
  await page.locator(AREA).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(words);
};

/** Code for the page, as a text: tests have no types of a browser. */
const pasteOf = (bytes: Buffer): string => `{
  const clipboardData = new DataTransfer();
  const bytes = new Uint8Array(${JSON.stringify([...bytes])});
  clipboardData.items.add(new File([bytes], 'sea.png', { type: 'image/png' }));
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true });
  document.querySelector('${AREA}').dispatchEvent(event);
}`;

describe.skipIf(reason !== null)(`writing at the desk ${reason ?? ''}`, () => {
  const browser = launchChromium();

  const start = (): Promise<AtDesk> => openSample(browser());

  const openPost = async (page: Page, { url }: Serving, id: string): Promise<void> => {
    await page.goto(`${url}/desk/#/posts/${id}`);
    await page.locator(AREA).waitFor();
  };

  test('a save waits for a picture, which changes no other field when it comes', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Old name' });
    await openPost(page, serving, id);
    const release = await hold(page, 'POST');
    const file = { name: 'sea.png', mimeType: 'image/png', buffer: pngOf(6, 4) };
    await page.getByLabel('Picture', { exact: true }).setInputFiles(file);
    await page.getByLabel('Title', { exact: true }).fill('New name');
    await seen(page, 'Uploading; saving waits for it.');
    for (const name of ['Save draft', 'Publish']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    await page.getByLabel('Excerpt').fill('Typed meanwhile.');
    const next = { ...file, name: 'sky.png' };
    await page.getByLabel('Picture', { exact: true }).setInputFiles(next);
    const asking = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'Posts', exact: true }).click();
    await (await asking).dismiss();
    await leaving;
    await release();
    await seen(page, 'Picture uploaded. It is kept once you save.');
    await press(page, 'Save draft');
    await seen(page, 'Nothing to save');
    expect(await readPost(serving, id)).toMatchObject({
      title: 'New name',
      custom_excerpt: 'Typed meanwhile.',
      feature_image: expect.stringContaining('sky'),
    });
    await press(page, 'Remove the picture');
    await page.getByText('Picture uploaded.').waitFor({ state: 'hidden' });
  });

  test('a picture that is pasted into the text counts as not saved while it is uploaded', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Drawn' });
    await openPost(page, serving, id);
    const release = await hold(page, 'POST');
    await page.locator(AREA).click();
    await page.evaluate(pasteOf(pngOf(6, 4)));
    await seen(page, 'Uploading; saving waits for it.');
    for (const name of ['Publish', 'Write as HTML']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    const asking = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'Posts', exact: true }).click();
    await (await asking).dismiss();
    await leaving;
    await release();
    await seen(page, 'Not saved yet');
    await pressAsked(page, 'Publish', 'Publish now');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    expect((await readPost(serving, id)).html).toContain('/sea.png');
  });

  test('Enter in a field of a card stays in the card', async () => {
    const { serving, page } = await start();
    const button = { type: 'button', version: 1, buttonText: 'Go', buttonUrl: '' };
    const lexical = JSON.stringify({ root: { type: 'root', version: 1, children: [button] } });
    const made = await serving.admin('POST', '/posts/', { posts: [{ title: 'Go', lexical }] });
    const { posts } = made as { posts: [Post] };
    await openPost(page, serving, posts[0].id);
    const card = page.locator('[data-kg-card="button"]');
    await card.dblclick();
    const field = page.getByTestId('button-input-text');
    await field.fill('Come');
    await field.press('Enter');
    await page.keyboard.type(' on');
    expect(await field.inputValue()).toBe('Come on');
  });

  test('the address for a new one is an empty form again once one was made there', async () => {
    const { serving, page } = await start();
    for (const [root, label] of [
      ['posts', 'Title'],
      ['pages', 'Title'],
      ['members', 'E-mail address'],
    ] as const) {
      const field = page.getByLabel(label, { exact: true });
      await page.goto(`${serving.url}/desk/#/${root}/new`);
      await field.fill('one@example.com');
      await press(page, root === 'members' ? 'Save' : 'Save draft');
      await page.getByText(/^Saved/).waitFor();
      await page.goto(`${serving.url}/desk/#/${root}/new`);
      await seen(page, `New ${root.slice(0, -1)}`);
      expect(await field.inputValue()).toBe('');
    }
  });

  test('a new post that is saved after its form was left names no other form', async () => {
    const { serving, page } = await start();
    const title = page.getByLabel('Title', { exact: true });
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await title.fill('First');
    const release = await hold(page, 'POST');
    await press(page, 'Save draft');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await page.getByLabel('Search titles').waitFor();
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await title.fill('Second');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await release();
    await (await answered).finished();
    await page.getByRole('button', { name: 'Save draft' }).hover();
    expect(new URL(page.url()).hash).toBe('#/posts/new');
  });

  test('a post that was changed elsewhere is loaded anew', async () => {
    const { serving, page } = await start();
    const { id, updated_at } = await createPost(serving, { title: 'Shared' });
    await openPost(page, serving, id);
    const theirs = [{ custom_excerpt: 'Theirs.', html: '<p>Other.</p>', updated_at }];
    await serving.admin('PUT', `/posts/${id}/?source=html`, { posts: theirs });
    await typeText(page, ' Gone.');
    await press(page, 'Save draft');
    await page.getByText(/ Changed there: excerpt, text\.$/).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await press(page, 'Load the newer version');
    await seen(page, 'Nothing to save');
    await page.locator(AREA).getByText('Other.', { exact: true }).waitFor();
    expect(await page.getByLabel('Excerpt').inputValue()).toBe('Theirs.');
  });

  test('a member that was deleted elsewhere is told', async () => {
    const { serving, page } = await start();
    const body = { members: [{ email: 'sea@example.com' }] };
    const made = (await serving.admin('POST', '/members/', body)) as { members: [Named] };
    await page.goto(`${serving.url}/desk/#/members/${made.members[0].id}`);
    await page.getByLabel('Note').fill('Kept.');
    await serving.admin('DELETE', `/members/${made.members[0].id}/`);
    await press(page, 'Save');
    await seen(page, /^This was deleted elsewhere, so nothing was saved\./);
    expect(await page.getByLabel('Note').inputValue()).toBe('Kept.');
  });

  test('a post that the schedule published while it was open is saved on a phone, too', async () => {
    const phone = { viewport: { width: 375, height: 800 } };
    const { serving, page } = await openSample(browser(), phone);
    const { id, updated_at } = await createPost(serving, { title: 'Due', ...SCHEDULED });
    await openPost(page, serving, id);
    const due = [{ status: 'published', updated_at }];
    await serving.admin('PUT', `/posts/${id}/`, { posts: due });
    await typeText(page, ' Late.');
    await press(page, 'Update');
    await seen(page, 'The schedule published this while it was open here.');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Overwrite with mine' }).press('Enter');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    await page.getByText('The schedule published this').waitFor({ state: 'detached' });
    expect(await readPost(serving, id)).toMatchObject({ html: '<p>One. Late.</p>' });
    await page.locator('.badge').getByText('published', { exact: true }).waitFor();
  });

  test('a post for some tiers is not published before one is chosen', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Tide' });
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.getByLabel('Access').selectOption('Some tiers');
    const fault = page.getByText(/^Nobody could read it: choose at least one tier/);
    await fault.waitFor();
    await press(page, 'Publish');
    await page.getByRole('alert').and(fault).waitFor();
    expect((await readPost(serving, id)).status).toBe('draft');
    const box = page.getByRole('group', { name: 'Tiers' }).getByRole('checkbox').first();
    await box.check();
    expect(await findFaults(page)).toEqual([]);
    await pressAsked(page, 'Publish', 'Publish now');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    const { visibility, tiers } = await readPost(serving, id);
    expect({ visibility, count: tiers.length }).toEqual({ visibility: 'tiers', count: 1 });
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  test('a scheduled post whose date is cleared is not saved without one', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Tide', ...SCHEDULED });
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.getByLabel('Appears at').fill('');
    await seen(page, 'Not saved yet');
    await press(page, 'Update');
    await page
      .getByRole('alert')
      .and(page.getByText(/^A scheduled post needs a date\./))
      .waitFor();
    await press(page, 'Restore the date');
    await seen(page, 'Nothing to save');
    await page.getByLabel('Appears at').fill('');
    await pressAsked(page, 'Back to draft', 'Unschedule');
    await seen(page, 'Saved as a draft.');
    expect((await readPost(serving, id)).status).toBe('draft');
  });

  test('a changed date of a scheduled post is saved with the rest', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Later', ...SCHEDULED });
    await openPost(page, serving, id);
    await page.getByLabel('Appears at').fill('2001-02-03T04:05');
    await seen(page, 'This time is in the past. Choose a later one.');
    await page.getByLabel('Appears at').fill('2041-02-03T04:05');
    await seen(page, 'Not saved yet');
    await press(page, 'Update');
    await seen(page, 'Saved and scheduled.');
    const { published_at } = await readPost(serving, id);
    // The sample is in Lisbon.
    expect(published_at).toBe('2041-02-03T04:05:00.000Z');
  });

  test('a post that is published at once forgets a date that was typed for its schedule', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Now' });
    await openPost(page, serving, id);
    await page.getByText('Schedule', { exact: true }).first().click();
    await page.getByLabel('Appears at').fill('2041-02-03T04:05');
    await pressAsked(page, 'Publish', 'Publish now');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    expect(await page.getByLabel('Published at').inputValue()).not.toContain('2041');
    await seen(page, 'Nothing to save');
  });

  test('a key that is revoked leaves what was written, and the next key saves it', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Kept' });
    const { keys } = (await serving.admin('POST', '/keys/', {
      keys: [{ type: 'admin', name: 'For an hour' }],
    })) as { keys: [{ id: string; key: string }] };
    const enter = async (key: string): Promise<void> => {
      await page.getByLabel('Admin key').fill(key);
      await press(page, 'Sign in');
    };
    await press(page, 'Sign out');
    await enter(keys[0].key);
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor();
    await openPost(page, serving, id);
    await typeText(page, ' Long.');
    await page.getByLabel('Excerpt').fill('Kept too.');
    await serving.admin('DELETE', `/keys/${keys[0].id}/`);
    await press(page, 'Save draft');
    await page.getByText(/^Your key is no longer accepted\. Sign in again to continue/).waitFor();
    expect(await page.locator(AREA).isVisible()).toBe(false);
    expect(await findFaults(page)).toEqual([]);
    await enter(adminKeyOf(serving));
    await page.locator(AREA).getByText('One. Long.', { exact: true }).waitFor();
    await press(page, 'Save draft');
    await seen(page, 'Saved as a draft.');
    expect(await readPost(serving, id)).toMatchObject({
      html: '<p>One. Long.</p>',
      custom_excerpt: 'Kept too.',
    });
  });

  test('a text that is typed and deleted again is saved, and published', async () => {
    const { serving, page } = await start();
    await page.goto(`${serving.url}/desk/#/posts/new`);
    await page.locator(AREA).click();
    await page.keyboard.type('a');
    await page.keyboard.press('Backspace');
    await page.getByLabel('Title', { exact: true }).fill('Nothing yet');
    await press(page, 'Save draft');
    await seen(page, 'Saved as a draft.');
    await typeText(page, 'Some.');
    await press(page, 'Save draft');
    await seen(page, 'Nothing to save');
    await page.locator(AREA).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.getByText('Not saved yet').waitFor();
    await pressAsked(page, 'Publish', 'Publish now');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
  });

  test('a newsletter gets only what was typed, and an address that waits is mailed once', async () => {
    const { serving, page } = await start();
    const mails = (): number =>
      readdirSync(join(serving.folder, 'data/mail')).filter((name) => !name.startsWith('.')).length;
    type Newsletter = Readonly<Record<'id' | 'name', string>>;
    const read = async (): Promise<Newsletter> =>
      ((await serving.admin('GET', '/newsletters/?limit=1')) as { newsletters: [Newsletter] })
        .newsletters[0];
    const { id } = await read();
    await page.goto(`${serving.url}/desk/#/newsletters`);
    const card = page.locator('section.card').first();
    await card.locator('summary').click();
    const save = card.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await card.getByLabel('Description').fill('Written here.');
    await serving.admin('PUT', `/newsletters/${id}/`, { newsletters: [{ name: 'Renamed' }] });
    openShell(serving.folder)
      .prepare("UPDATE newsletters SET sender_email = 'verified@example.com' WHERE id = ?")
      .run(id);
    await card.getByText(/^verified@example\.com is verified and is the sender address/).waitFor();
    expect(await card.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed');
    await save.click();
    await card.getByText('Saved.', { exact: true }).waitFor();
    expect(await read()).toMatchObject({
      name: 'Renamed',
      description: 'Written here.',
      sender_email: 'verified@example.com',
    });

    await card.getByLabel('Sender’s address').fill('next@example.com');
    await save.click();
    await card.getByText('A link was mailed to next@example.com').waitFor();
    expect(mails()).toBe(1);
    await card.getByLabel('Description').fill('Written again.');
    await save.click();
    await card.getByText('Saved.', { exact: true }).waitFor();
    expect(mails()).toBe(1);
    expect(await save.isDisabled()).toBe(true);

    await card.getByLabel('Description').fill('Not saved.');
    const asking = page.waitForEvent('dialog');
    const leaving = page.getByRole('link', { name: 'Posts', exact: true }).click();
    await (await asking).dismiss();
    await leaving;
    expect(await card.getByLabel('Description').inputValue()).toBe('Not saved.');
  });

  test('nothing can be typed into a new newsletter while it is created', async () => {
    const { serving, page } = await start();
    await page.goto(`${serving.url}/desk/#/newsletters`);
    await press(page, 'New newsletter');
    const form = page.locator('section.card').filter({ hasText: 'New newsletter' });
    const letGo = await hold(page, 'POST');
    await form.getByLabel('Name', { exact: true }).fill('Weekly');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('fieldset:disabled').waitFor();
    expect(await form.getByLabel('Description').isDisabled()).toBe(true);
    await letGo();
    await page.getByText('Edit Weekly').waitFor();
    expect(await form.count()).toBe(0);
  });

  test('a tag or a label with a comma stays one', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { title: 'Tagged', tags: [{ name: 'Salt, sea' }] });
    await openPost(page, serving, id);
    await page.getByRole('combobox', { name: 'Tags' }).fill('More');
    await press(page, 'Save draft');
    await seen(page, 'Nothing to save');
    const { posts } = (await serving.admin('GET', `/posts/${id}/?include=tags`)) as {
      posts: [{ tags: { name: string }[] }];
    };
    expect(posts[0].tags.map(({ name }) => name)).toEqual(['Salt, sea', 'More']);

    await page.goto(`${serving.url}/desk/#/members/new`);
    await page.getByLabel('E-mail address').fill('sea@example.com');
    await page.getByLabel('Labels').fill('"Salt, sea", null');
    await press(page, 'Save');
    await seen(page, 'Saved.');
    expect(await page.getByLabel('Labels').inputValue()).toContain('"Salt, sea"');
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByLabel('Label', { exact: true }).selectOption('null');
    await seen(page, '1 member');
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await page.getByLabel('Search titles').fill('Tagged\\');
    await page.getByRole('link', { name: 'Tagged' }).waitFor();
    await seen(page, '1 post');
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await page.getByText(/^\d\d+ posts$/).waitFor();
    expect(await page.getByLabel('Search titles').inputValue()).toBe('');
  });

  test('html for which the editor has no block stays byte for byte when text beside it is edited', async () => {
    const { serving, page } = await start();
    const kept = [
      '<p><a href="https://example.org/"><img src="https://example.org/a.png" alt="A"></a></p>',
      '<video src="https://example.org/a.mp4" controls></video>',
      '<audio src="https://example.org/a.mp3" controls></audio>',
      '<svg width="4" height="4"><circle r="2"/></svg>',
      '<details><summary>More</summary>Hidden.</details>',
    ];
    const html = `${kept.join('')}<p>One.</p>`;
    const { id } = await createPost(serving, { title: 'Whole', html });
    await openPost(page, serving, id);
    await page.locator(AREA).getByText('One.', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Two.');
    await press(page, 'Save draft');
    await seen(page, 'Nothing to save');
    const after = (await readPost(serving, id)).html ?? '';
    expect(after).toContain('<p>One. Two.</p>');
    for (const part of kept) expect(after).toContain(part);
  });
});
