// What the desk does with posts and members that others changed or deleted while they were open, and with what a post
// cannot be saved with: nothing is lost, and what is wrong is said.
import { describe, expect, test } from 'vitest';
import {
  type AtDesk,
  findFaults,
  launchChromium,
  openSample,
  press,
  seen,
} from '../helpers/desk-browser.ts';
import type { Serving } from '../helpers/serve.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

type Named = { readonly id: string; readonly name: string };

type Post = {
  readonly id: string;
  readonly status: string;
  readonly visibility: string;
  readonly tiers: readonly Named[];
  readonly published_at: string | null;
};

const DUE = '2040-01-01T00:00:00.000Z';

const createPost = async ({ admin }: Serving, fields: object): Promise<Post> => {
  const body = { posts: [{ title: 'Tide', html: '<p>One.</p>', ...fields }] };
  return ((await admin('POST', '/posts/?source=html', body)) as { posts: [Post] }).posts[0];
};

const readPost = async ({ admin }: Serving, id: string): Promise<Post> =>
  ((await admin('GET', `/posts/${id}/`)) as { posts: [Post] }).posts[0];

const createMember = async ({ admin }: Serving, fields: object): Promise<Named> =>
  ((await admin('POST', '/members/', { members: [fields] })) as { members: [Named] }).members[0];

describe.skipIf(reason !== null)(`the desk and others ${reason ?? ''}`, () => {
  const browser = launchChromium();

  const start = (): Promise<AtDesk> => openSample(browser());

  test('labels that a member was given elsewhere stay, and a deleted member is told', async () => {
    const { serving, page } = await start();
    const { id } = await createMember(serving, { email: 'sea@example.com', labels: ['Old'] });
    await page.goto(`${serving.url}/desk/#/members/${id}`);
    const labels = page.getByLabel('Labels', { exact: true });
    await labels.fill('Old, Mine');
    const theirs = { labels: [{ name: 'Old' }, { name: 'Theirs' }] };
    await serving.admin('PUT', `/members/${id}/`, { members: [theirs] });
    await press(page, 'Save');
    await seen(page, 'Saved.');
    const { members } = (await serving.admin('GET', `/members/${id}/`)) as {
      members: [{ labels: Named[] }];
    };
    expect(members[0].labels.map(({ name }) => name).toSorted()).toEqual(['Mine', 'Old', 'Theirs']);
    expect(await labels.inputValue()).toContain('Theirs');

    await serving.admin('DELETE', `/members/${id}/`);
    await page.getByLabel('Note').fill('Kept.');
    await press(page, 'Save');
    await seen(page, /^This was deleted elsewhere, so nothing was saved\./);
    expect(await page.getByLabel('Note').inputValue()).toBe('Kept.');
  });

  test('a post for some tiers is not published before one is chosen', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, {});
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.getByLabel('Who may read it').selectOption('Some tiers');
    const fault = page.getByText(/^Nobody could read it: choose at least one tier/);
    await fault.waitFor();
    await press(page, 'Publish');
    await page.getByRole('alert').and(fault).waitFor();
    expect((await readPost(serving, id)).status).toBe('draft');
    const box = page.getByRole('group', { name: 'Tiers' }).getByRole('checkbox').first();
    await box.check();
    expect(await findFaults(page)).toEqual([]);
    await press(page, 'Publish');
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    const { visibility, tiers } = await readPost(serving, id);
    expect({ visibility, count: tiers.length }).toEqual({ visibility: 'tiers', count: 1 });
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  test('a scheduled post whose date is cleared is not saved without one', async () => {
    const { serving, page } = await start();
    const { id } = await createPost(serving, { status: 'scheduled', published_at: DUE });
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.getByLabel('Appears at').fill('');
    await seen(page, 'Not saved yet');
    await press(page, 'Save');
    await page
      .getByRole('alert')
      .and(page.getByText(/^A scheduled post needs a date\./))
      .waitFor();
    await press(page, 'Restore the date');
    await seen(page, 'Nothing to save');
    await page.getByLabel('Appears at').fill('');
    await press(page, 'Back to draft');
    await seen(page, 'Saved as a draft.');
    expect((await readPost(serving, id)).status).toBe('draft');
  });
});
