// A post with a picture is written in the desk's editor and published: the content interface shows it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { pngOf } from '../helpers/upload-files.ts';
import { CHROMIUM_FLAGS, findProgram, missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '.editor-area';

const signIn = async (page: Page, { url, folder }: Serving): Promise<void> => {
  await page.goto(`${url}/desk/`);
  const key = readFileSync(join(folder, 'data/admin-key'), 'utf8').trim();
  await page.getByLabel('Admin key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Posts', exact: true }).click();
};

const pastePicture = (page: Page): Promise<void> =>
  page.evaluate(
    ({ bytes, area }) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(bytes)], 'sea.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector(area)?.dispatchEvent(event);
    },
    { bytes: [...pngOf(6, 4)], area: AREA },
  );

describe.skipIf(reason !== null)(`the editor in the desk ${reason ?? ''}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: findProgram('chromium'),
      args: CHROMIUM_FLAGS,
    });
    return () => browser.close();
  });

  test('writes a post with a picture, which is published', async () => {
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await signIn(page, serving);
    await page.getByRole('link', { name: 'New post' }).click();
    await page.getByLabel('Title', { exact: true }).fill('By the sea');
    await page.locator(AREA).click();
    await page.keyboard.type('Written in the editor.');
    await pastePicture(page);
    await page.getByLabel('Alternative text').fill('Waves');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Saved and published.').waitFor();
    expect(await page.locator(AREA).textContent()).toContain('Written in the editor.');

    const path = `/content/posts/slug/by-the-sea/?key=${serving.contentKey}`;
    const html = await eventually(async () => {
      const response = await serving.get(path);
      expect(response.status).toBe(200);
      const { posts } = (await response.json()) as { posts: [{ html: string }] };
      return posts[0].html;
    });
    expect(html).toContain('<p>Written in the editor.</p>');
    const [, src = ''] = /<img src="([^"]+)"[^>]*alt="Waves"/.exec(html) ?? [];
    expect((await serving.get(new URL(src, serving.url).pathname)).status).toBe(200);

    await page.locator(AREA).click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Again. ');
    await page.getByRole('button', { name: /^(?:Update|Save)/ }).click();
    await eventually(async () =>
      expect(await (await serving.get(path)).text()).toContain('Again. Written in the editor.'),
    );
    expect(errors).toEqual([]);
    await page.close();
  });
});
