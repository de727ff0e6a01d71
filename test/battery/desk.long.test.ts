// The desk and the notices in a browser, as people use them: from signing in to a delivery in the log, from a mailed
// link to a verified sender, from unsubscribing to its undoing; on a phone and on a desk, light and dark.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  adminKeyOf,
  findFaults,
  launchChromium,
  openPage,
  pressAsked,
  SCREENS,
  signIn,
} from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { pngOf } from '../helpers/upload-files.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const PICTURE = pngOf(60, 40);

const file = (name: string) => ({ name, mimeType: 'image/png', buffer: PICTURE });

/** Drops a picture where `selector` names a place of the page. */
const dropPicture = (page: Page, selector: string): Promise<void> =>
  page.evaluate(
    ({ bytes, place }) => {
      type Dropped = { items: { add: (file: unknown) => void } };
      const { document, DataTransfer, DragEvent, File } = globalThis as unknown as {
        document: { querySelector: (text: string) => { dispatchEvent: (event: unknown) => void } };
        DataTransfer: new () => Dropped;
        DragEvent: new (name: string, options: object) => unknown;
        File: new (parts: unknown[], name: string, options: object) => unknown;
      };
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(
        new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }),
      );
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector(place).dispatchEvent(new DragEvent('drop', options));
    },
    { bytes: [...PICTURE], place: selector },
  );

type Post = { readonly html: string; readonly feature_image: string };

const findPost = async ({ get, contentKey }: Serving, slug: string): Promise<Post | null> => {
  const response = await get(`/content/posts/slug/${slug}/?key=${contentKey}`);
  if (response.status !== 200) return null;
  const { posts } = (await response.json()) as { posts: Post[] };
  return posts[0] ?? null;
};

describe.skipIf(reason !== null)(`the desk in a browser ${reason ?? ''}`, () => {
  const browser = launchChromium();
  const serveSample = (environment: Record<string, string> = {}): Promise<Serving> =>
    serve(temporaryFolder(), { args: ['--sample'], environment });

  test('a post with pictures is written, published, delivered, and taken back', async () => {
    const receiver = await startReceiver();
    const serving = await serveSample();
    const page = await openPage(browser());
    await page.goto(`${serving.url}/admin/`);
    expect(page.url()).toBe(`${serving.url}/desk/`);
    await page.getByLabel('Admin key').fill(`${adminKeyOf(serving).slice(0, -1)}~`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'This is not an admin key.' }).waitFor();
    await page.getByLabel('Admin key').fill(`${'0'.repeat(24)}:${'0'.repeat(64)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not accept this key' }).waitFor();
    await signIn(page, serving);

    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByLabel('Event').selectOption('post.published');
    await page.getByLabel('Address to send to').fill(receiver.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Secret, for Ghost’s signature').waitFor();

    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await page.getByRole('link', { name: 'New post' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Written at the desk');
    const asHtml = page.getByRole('button', { name: 'Write as HTML' });
    if ((await asHtml.count()) > 0) await asHtml.click();
    await page.getByLabel('Text, as HTML').fill('<p>Hello from the desk.</p>');
    await dropPicture(page, 'textarea.body');
    await page.getByText('Picture uploaded.', { exact: true }).waitFor();
    await page.getByLabel('Picture', { exact: true }).setInputFiles(file('cover.png'));
    await page.getByText('Picture uploaded. It is kept once you save.').waitFor();
    await page.getByRole('combobox', { name: 'Tags' }).fill('Desk, Second');
    await pressAsked(page, 'Publish', 'Publish now');
    await page.getByText('Saved and published.').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByText('Hello from the desk.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    const post = await eventually(async () => {
      const found = await findPost(serving, 'written-at-the-desk');
      expect(found).not.toBe(null);
      return found;
    });
    expect(post?.html).toContain('Hello from the desk.');
    const [, dropped = ''] = /<img [^>]*src="([^"]+)"/.exec(post?.html ?? '') ?? [];
    for (const address of [post?.feature_image ?? '', dropped]) {
      const picture = await serving.get(new URL(address).pathname);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    }

    await eventually(async () => {
      const shown = await (await serving.get('/written-at-the-desk/')).text();
      expect(shown).toContain('Hello from the desk.');
      expect(shown).toContain(new URL(post?.feature_image ?? '').pathname);
    });

    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    const log = page.locator('section', { has: page.getByRole('heading', { name: 'Deliveries' }) });
    const done = log.locator('li', { hasText: receiver.url }).filter({ hasText: 'done' });
    await done.first().waitFor();
    await done.getByText('Status 200').first().waitFor();
    expect(receiver.received.map(({ body }) => body).join()).toContain('Written at the desk');
    await done.first().getByRole('button', { name: 'Send again' }).click();
    await eventually(() => expect(receiver.received.length).toBe(2));

    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await page.getByLabel('Search titles').fill('written at');
    await page.getByRole('link', { name: 'Written at the desk' }).click();
    await pressAsked(page, 'Unpublish', 'Unpublish');
    await page.getByText('Saved as a draft.').waitFor();
    await eventually(async () => expect(await findPost(serving, 'written-at-the-desk')).toBe(null));
    await page.getByText('Schedule', { exact: true }).first().click();
    await page.getByLabel('Appears at').fill('2041-02-03T04:05');
    await pressAsked(page, 'Schedule', 'Schedule it');
    await page.getByText('Saved and scheduled.').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'Written at the desk' }).waitFor();
  });

  test('a sender address is verified by its mail; a member leaves and comes back', async () => {
    const mail = await startMailServer();
    const serving = await serveSample({ PREPRESS_SMTP: mail.url });
    const page = await openPage(browser());
    await signIn(page, serving);
    await page.getByRole('link', { name: 'Newsletters', exact: true }).click();
    await page.locator('summary').first().click();
    await page.getByLabel('Sender’s address').first().fill('desk@example.com');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('A link was mailed to desk@example.com').first().waitFor();
    await page.getByText('is not verified yet').waitFor();
    const [, link = ''] =
      /(http:\S+\/newsletters\/verify\/\?token=\S+)/.exec(mail.received[0]?.text ?? '') ?? [];
    const notice = await openPage(browser(), { colorScheme: 'dark' });
    await notice.goto(link);
    await notice.getByRole('heading', { name: 'Address verified' }).waitFor();
    expect(await findFaults(notice)).toEqual([]);
    await page.getByText(/^desk@example\.com is verified and is the sender address/).waitFor();

    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('link', { name: 'New member' }).click();
    await page.getByLabel('E-mail address').fill('reader@example.com');
    await page.getByLabel('Labels').fill('Desk readers');
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const unsubscribe = page.getByRole('link', { name: 'to unsubscribe' });
    await notice.goto((await unsubscribe.getAttribute('href')) ?? '');
    expect(await findFaults(notice)).toEqual([]);
    await notice.getByRole('button', { name: 'Unsubscribe' }).click();
    await notice.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    expect(await findFaults(notice)).toEqual([]);
    await page.reload();
    await page.getByRole('checkbox').first().waitFor();
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(false);
    await notice.getByRole('button', { name: 'Subscribe again' }).click();
    await notice.getByRole('heading', { name: 'Subscribed again' }).waitFor();
    await page.reload();
    await page.getByRole('checkbox').first().waitFor();
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByLabel('Label', { exact: true }).selectOption('Desk readers');
    await page.getByText('1 member', { exact: true }).waitFor();
  });

  test('every view fits a phone and a desk, light and dark, and axe finds nothing serious', async () => {
    const receiver = await startReceiver();
    const serving = await serveSample();
    const { posts } = (await serving.admin('GET', '/posts/?limit=1')) as {
      posts: { id: string }[];
    };
    const { members } = (await serving.admin('GET', '/members/?limit=1')) as {
      members: { id: string }[];
    };
    const { webhooks } = (await serving.admin('POST', '/webhooks/', {
      webhooks: [
        { event: 'post.published', target_url: `${receiver.url}/a-long-address/that/goes/on` },
      ],
    })) as { webhooks: { id: string }[] };
    await serving.admin('POST', `/webhooks/${webhooks[0]?.id}/test/`);
    await serving.get(
      `/content/posts/?key=${serving.contentKey}&filter=featured:true&order=title%20asc`,
    );
    const views = [
      '',
      'overview',
      'tags',
      'tags/new',
      'settings',
      'posts',
      `posts/${posts[0]?.id}`,
      'posts/new',
      'pages',
      'members',
    ];
    const more = [
      `members/${members[0]?.id}`,
      'newsletters',
      'webhooks',
      'keys',
      'queries',
      'nothing',
    ];
    for (const screen of SCREENS) {
      const page = await openPage(browser(), screen);
      await page.goto(`${serving.url}/desk/`);
      expect(await findFaults(page)).toEqual([]);
      await signIn(page, serving);
      for (const view of [...views, ...more]) {
        await page.goto(`${serving.url}/desk/#/${view}`);
        await page.locator('main h1, main p').first().waitFor();
        await page.getByText('Loading…').waitFor({ state: 'detached' });
        await page.evaluate(
          "for (const one of document.querySelectorAll('details')) one.open = true",
        );
        expect([view, screen, await findFaults(page)]).toEqual([view, screen, []]);
      }
      await page.goto(`${serving.url}/nothing/at/all/`);
      expect([screen, await findFaults(page)]).toEqual([screen, []]);
    }
  });

  test('the documentation signs in, and tries an operation of the admin interface', async () => {
    const serving = await serveSample();
    const page = await openPage(browser(), { colorScheme: 'dark' });
    await page.goto(`${serving.url}/docs/?urls.primaryName=Admin`);
    await page.getByText('Lists members, the newest first.').waitFor();
    await page.getByLabel('Admin key').fill(adminKeyOf(serving));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in').waitFor();
    const operation = page.locator('.opblock', { hasText: 'Lists members, the newest first.' });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation
      .locator('.live-responses-table .response-col_status', { hasText: '200' })
      .waitFor();
    // The desk of the same tab has the key too, and signing out ends both.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.getByRole('link', { name: 'To the desk' }).click();
    await page.getByLabel('Admin key').waitFor();
  });

  test('the keyboard alone leads from signing in to a saved post', async () => {
    const serving = await serveSample();
    const page = await openPage(browser());
    await page.goto(`${serving.url}/desk/`);
    const press = async (name: string, times = 1): Promise<void> => {
      for (let at = 0; at < times; at += 1) await page.keyboard.press(name);
    };
    const focused = (): Promise<unknown> =>
      page.evaluate('document.activeElement?.textContent || document.activeElement?.id');
    await press('Tab');
    await page.keyboard.type(adminKeyOf(serving));
    await press('Enter');
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor();
    const tabTo = async (text: string): Promise<void> => {
      for (let at = 0; at < 60 && (await focused()) !== text; at += 1) await press('Tab');
      expect(await focused()).toBe(text);
    };
    await tabTo('To the content');
    await tabTo('Posts');
    await press('Enter');
    await page.getByRole('link', { name: 'New post' }).waitFor();
    await tabTo('New post');
    await press('Enter');
    await page.getByLabel('Title', { exact: true }).waitFor();
    await tabTo('post-title');
    await page.keyboard.type('By keyboard');
    // Tab leads into the text, and stays there.
    await press('Shift+Tab');
    expect(await focused()).toBe('To the settings');
    await press('Enter');
    await tabTo('Save draft');
    await press('Enter');
    await page.getByText('Saved as a draft.').waitFor();
  });
});
