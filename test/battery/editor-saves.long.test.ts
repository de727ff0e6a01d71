// What the desk's editor saves, seen in the database: a post that is opened and saved without an edit of its text keeps
// every byte; one paragraph that is edited changes that paragraph alone. The server renders each document anew.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type JsonPlace, placeValues } from '../../src/base/text/json-places.ts';
import { CAPTURED_EXPORT, CAPTURED_SITE_URL } from '../helpers/captured-site.ts';
import { launchChromium, openPage, signIn } from '../helpers/desk-browser.ts';
import { everyCard } from '../helpers/editor-documents.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';
import { CARD_TYPES, generatedDocument } from '../unit/serve/editor/generated-documents.ts';
import { IS_LONG, sayRow, sized } from './size.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '[aria-label="Body of the post"]';
const WORDS = 'Edited here. ';

type Body = { readonly lexical: string; readonly html: string | null; readonly plaintext: unknown };
type Row = Body & { readonly id: string; readonly slug: string; readonly type: string };

const memberOf = (place: JsonPlace | undefined, wanted: string): JsonPlace | undefined =>
  place?.members?.find(({ name }) => name === wanted)?.place;

const blocksOf = (text: string): string[] => {
  const children = memberOf(memberOf(placeValues(text), 'root'), 'children');
  return (children?.items ?? []).map(({ start, end }) => text.slice(start, end));
};

const paragraphOf = (node: string): string =>
  `{"children":[${node}],"direction":"ltr","format":"","indent":0,"type":"paragraph","version":1}`;

/** Around its blocks. */
const frameOf = (text: string): string =>
  blocksOf(text).reduce((rest, block) => rest.replace(block, ''), text);

const startsWithText = (text: string): boolean => {
  const [first = '{}'] = blocksOf(text);
  return /paragraph|heading|quote/.test((JSON.parse(first) as { type: string }).type);
};

/** Documents of the same nodes are opened and saved alike. */
const distinct = (rows: readonly Row[]): Row[] => {
  const kindOf = ({ type, lexical }: Row): string =>
    type + (lexical.match(/"type":"[^"]*"/g) ?? []).join();
  return [...new Map(rows.map((row) => [kindOf(row), row])).values()];
};

const SOME = 6;

const chunksOf = <Item>(items: readonly Item[], length: number): Item[][] =>
  items.length === 0 ? [] : [items.slice(0, length), ...chunksOf(items.slice(length), length)];

type SaveOptions = {
  /** All of them; else some, of different nodes. */
  readonly isEvery?: boolean;
  /** The slug of a post whose html is not that of its document. */
  readonly otherHtml?: string;
};

describe.skipIf(reason !== null)(`what the desk's editor saves ${reason ?? ''}`, () => {
  const browser = launchChromium();

  /** Opens each post, saves it with another excerpt, then with words at its beginning. Returns how many were edited. */
  const saveAll = async (
    page: Page,
    serving: Serving,
    { isEvery = IS_LONG, otherHtml = '' }: SaveOptions = {},
  ): Promise<number> => {
    const shell = openShell(serving.folder);
    const rows = shell
      .prepare(
        'SELECT id, slug, type, lexical, html, plaintext FROM posts WHERE lexical IS NOT NULL',
      )
      .all() as Row[];
    const bodyOf = (id: string): Body =>
      shell.prepare('SELECT lexical, html, plaintext FROM posts WHERE id = ?').get(id) as Body;
    let edited = 0;
    const chosen = isEvery ? rows : distinct(rows).slice(0, SOME);
    for (const row of chosen) {
      await page.goto(`${serving.url}/desk/#/${row.type}s/${row.id}`);
      await page.locator(AREA).waitFor();
      await page.getByText('Nothing to save', { exact: true }).waitFor();
      expect(await saveButton(page).isDisabled()).toBe(true);
      await page.getByLabel('Excerpt').fill(`Saved: ${row.slug.slice(0, 40)}`);
      await save(page, serving, row);
      const { lexical, html, plaintext } = row;
      expect([row.slug, bodyOf(row.id)]).toEqual([row.slug, { lexical, html, plaintext }]);
      if (!startsWithText(lexical)) continue;
      edited += 1;
      await page.locator(AREA).focus();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type(WORDS);
      await save(page, serving, row);
      const now = bodyOf(row.id);
      const [first, ...others] = blocksOf(now.lexical);
      expect([row.slug, others]).toEqual([row.slug, blocksOf(lexical).slice(1)]);
      expect(first).toContain(WORDS.trim());
      expect(frameOf(now.lexical)).toBe(frameOf(lexical));
      if (row.slug !== otherHtml) expect(withoutWords(now.html)).toBe(withoutWords(html));
    }
    sayRow('saves in the desk', { posts: chosen.length, edited });
    return edited;
  };

  const saveButton = (page: Page) => page.getByRole('button', { name: /^(?:Save draft|Update)$/ });

  /** A save that is sent and answered. */
  const save = async (page: Page, { url }: Serving, { id, type }: Row): Promise<void> => {
    const answered = page.waitForResponse(
      (response) =>
        response.request().method() === 'PUT' &&
        response.url().startsWith(`${url}/admin/${type}s/${id}/`),
    );
    await saveButton(page).click();
    expect((await answered).status()).toBe(200);
    await page.getByText('Nothing to save', { exact: true }).waitFor();
  };

  /** The id of a heading follows its words. */
  const withoutWords = (html: string | null): string =>
    (html ?? '')
      .replaceAll(WORDS, '')
      .replaceAll(WORDS.trim(), '')
      .replace(/<(h\d) id="[^"]*">/, '<$1>')
      .replace(/^<p><\/p>/, '');

  test('the sample, post by post, each of which is text to edit', async () => {
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    const page = await openPage(browser());
    await signIn(page, serving);
    expect(await saveAll(page, serving)).toBeGreaterThan(2);
  });

  test('a site of Ghost, post by post', async () => {
    const folder = temporaryFolder();
    await prepress(folder, ['import', CAPTURED_EXPORT, '--site-url', CAPTURED_SITE_URL]);
    const serving = await serve(folder);
    const page = await openPage(browser());
    await signIn(page, serving);
    // The html of one was written into Ghost's database beside its document.
    const edited = await saveAll(page, serving, { otherHtml: 'gated' });
    expect(edited).toBeGreaterThan(sized({ short: 3, long: 40 }));
  });

  test("one of each card of Ghost's editor, bare and filled", async () => {
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    openShell(serving.folder).exec('DELETE FROM posts');
    // Browsers report such an address of a picture.
    const textOf = (index: number): string =>
      generatedDocument(index).replaceAll('javascript:alert(1)', 'https://a.example/');
    const filled = CARD_TYPES.map((_, index) => blocksOf(textOf(index))[1] ?? '');
    const paragraph = paragraphOf(
      '{"detail":0,"format":0,"mode":"normal","style":"","text":"Around","type":"extended-text","version":1}',
    );
    const posts = chunksOf([...filled, ...everyCard()], 8);
    for (const cards of posts) {
      const blocks = [paragraph, ...cards, paragraph];
      const lexical = `{"root":{"children":[${blocks}],"direction":"ltr","format":"","indent":0,"type":"root","version":1}}`;
      await serving.admin('POST', '/posts/', { posts: [{ title: 'Cards', lexical }] });
    }
    const page = await openPage(browser());
    await signIn(page, serving);
    expect(await saveAll(page, serving, { isEvery: true })).toBe(posts.length);
  });
});
