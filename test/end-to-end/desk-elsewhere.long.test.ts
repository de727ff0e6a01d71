// What the desk does with members that others changed or deleted while they were open: nothing is lost.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { launchChromium, openPage, signIn } from '../helpers/desk-browser.ts';
import { type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

type Named = { readonly id: string; readonly name: string };

const createMember = async ({ admin }: Serving, fields: object): Promise<Named> =>
  ((await admin('POST', '/members/', { members: [fields] })) as { members: [Named] }).members[0];

const seen = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text, { exact: true }).first().waitFor();

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

describe.skipIf(reason !== null)(`the desk and others ${reason ?? ''}`, () => {
  const browser = launchChromium();

  const start = async (): Promise<{ serving: Serving; page: Page }> => {
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    const page = await openPage(browser());
    await signIn(page, serving);
    return { serving, page };
  };

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
});
