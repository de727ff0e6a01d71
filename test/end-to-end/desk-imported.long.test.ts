// Posts of a Ghost that were imported, at the desk: every card of its editors is edited once, also in posts of an earlier
// editor. What is not edited stays byte for byte, an edit changes its own block alone, and nothing is published by it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CARDS } from '../../docs/card-examples.js';
import { launchChromium, openPage, signIn } from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '[aria-label="Body of the post"]';
const WORDS = 'Edited';

type Node = { readonly type: string; readonly [field: string]: unknown };

const textNode = (text: string): Node => ({
  ...{ detail: 0, format: 0, mode: 'normal', style: '', text },
  ...{ type: 'extended-text', version: 1 },
});

const paragraph = (text: string): Node => ({
  ...{ children: [textNode(text)], direction: 'ltr', format: '', indent: 0 },
  ...{ type: 'paragraph', version: 1 },
});

/** The policy of the page has no sound within an address. */
const withFiles = (card: object): Node =>
  JSON.parse(JSON.stringify(card).replace(/"data:audio[^"]*"/g, '"https://example.com/file"'));

/** One card of each kind, and those that show nothing on a page. */
const NODES: readonly Node[] = [
  ...CARDS.map(([, nodes]) => withFiles({ version: 1, ...(nodes as Node[])[0] })),
  { type: 'paywall', version: 1 },
  { type: 'email', version: 1, html: '<p>Hello {first_name}</p>' },
  { type: 'email-cta', version: 1, html: '<p>Mail</p>', alignment: 'left', segment: 'status:free' },
];

/** These have no field. */
const FIELDLESS = ['horizontalrule', 'paywall', 'transistor'];

const lexicalOf = (cards: readonly Node[]): string => {
  const blocks = cards.flatMap((card) => [card, paragraph(`After ${card.type}.`)]);
  const children = [paragraph('Before all.'), ...blocks];
  const root = { children, direction: 'ltr', format: '', indent: 0, type: 'root', version: 1 };
  return JSON.stringify({ root });
};

/** As editors before Ghost 5 stored them. */
const mobiledocOf = (cards: readonly (readonly [string, object])[]): string =>
  JSON.stringify({
    ...{ version: '0.3.1', atoms: [], cards, markups: [] },
    sections: [
      [1, 'p', [[0, [], 0, 'Before all.']]],
      ...cards.flatMap((_, at) => [
        [10, at],
        [1, 'p', [[0, [], 0, `After ${at}.`]]],
      ]),
    ],
  });

const EARLIER = [
  mobiledocOf([
    ['markdown', { markdown: 'Some *markdown*.' }],
    ['html', { html: '<p>Markup</p>' }],
    ['code', { code: 'let tide;', language: 'js' }],
    ['image', { src: 'https://example.com/a.png', alt: 'A', caption: 'Caption' }],
    ['hr', {}],
  ]),
  mobiledocOf([
    ['bookmark', { url: 'https://example.com/', metadata: { title: 'Example' }, type: 'bookmark' }],
    ['callout', { calloutEmoji: '⚓', calloutText: 'A callout.', backgroundColor: 'blue' }],
    ['toggle', { heading: 'Heading', content: '<p>Content</p>' }],
    ['button', { buttonText: 'Press', buttonUrl: 'https://example.com/', alignment: 'left' }],
  ]),
];

const LEXICAL_POSTS = 8;

const exported = (): object => {
  const share = Math.ceil(NODES.length / LEXICAL_POSTS);
  const shares = Array.from({ length: LEXICAL_POSTS }, (_, at) =>
    NODES.slice(at * share, (at + 1) * share),
  );
  const bodies = [
    ...shares.map((cards) => ({ lexical: lexicalOf(cards) })),
    ...EARLIER.map((mobiledoc) => ({ mobiledoc })),
  ];
  const posts = bodies.map((body, at) => ({
    id: (at + 1).toString(16).padStart(24, '0'),
    ...{ title: `Post ${at}`, slug: `post-${at}`, type: 'post', visibility: 'public' },
    status: at % 2 === 0 ? 'published' : 'draft',
    created_at: '2025-01-02 10:00:00',
    updated_at: '2025-01-02 10:00:00',
    published_at: at % 2 === 0 ? '2025-01-02 10:00:00' : null,
    ...body,
  }));
  const meta = { exported_on: 1_753_891_082_041, version: '6.0.0' };
  return { db: [{ meta, data: { posts } }] };
};

type Stored = Readonly<Record<'id' | 'lexical' | 'mobiledoc' | 'html' | 'status', string | null>>;

const blocksOf = (lexical: string | null): Node[] =>
  (JSON.parse(lexical ?? '{"root":{"children":[]}}') as { root: { children: Node[] } }).root
    .children;

/** Files that are not there, and what the Markdown card asks of others in vain. */
const KNOWN = /^Failed to load resource|maxcdn\.bootstrapcdn\.com|cdn\.jsdelivr\.net/;

const FIELDS = [
  '[contenteditable="true"]',
  '.CodeMirror',
  'textarea:not(.CodeMirror *)',
  'input:not([type=file], [type=checkbox], [type=radio], [type=color], [type=range], :disabled, [readonly])' +
    // Those of the file card are covered until it is edited.
    ':not([data-kg-card-editing="false"] [data-kg-file-card])',
].join(', ');

describe.skipIf(reason !== null)(`imported posts at the desk ${reason ?? ''}`, () => {
  const browser = launchChromium();

  const save = async (page: Page, id: string): Promise<void> => {
    const answered = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes(id),
    );
    await page.getByRole('button', { name: /^(?:Save draft|Update)$/ }).click();
    expect((await answered).status()).toBe(200);
    await page.getByText('Nothing to save', { exact: true }).waitFor();
  };

  /** Types at the end of the first field that the card shows when it is selected, or else when it is edited. */
  const edit = async (page: Page, block: Locator): Promise<void> => {
    const card = block.locator('[data-kg-card]').first();
    if ((await card.count()) === 0) await block.click();
    else {
      // The one that was edited before may close at the first click.
      await eventually(async () => {
        await card.click({ position: { x: 3, y: 3 } });
        expect(await block.locator('[data-kg-card-selected="true"]').count()).toBe(1);
      });
      const field = block.locator(FIELDS).filter({ visible: true }).first();
      if ((await field.count()) === 0) await page.keyboard.press('Control+Enter');
      await field.click();
    }
    await page.keyboard.press('End');
    await page.keyboard.type(WORDS);
    await page.getByText('Not saved yet', { exact: true }).waitFor();
  };

  const open = async (page: Page, { url }: Serving, id: string): Promise<void> => {
    await page.goto(`${url}/desk/#/posts`);
    await page.getByLabel('Search titles').waitFor();
    await page.goto(`${url}/desk/#/posts/${id}`);
    await page.locator(AREA).getByText('Before all.').waitFor();
    await page.getByText('Nothing to save', { exact: true }).waitFor();
  };

  test('each card is edited, and everything beside it stays', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'export.json'), JSON.stringify(exported()));
    await prepress(folder, ['import', 'export.json', '--site-url', 'https://site.example']);
    const serving = await serve(folder);
    const page = await openPage(browser(), {}, KNOWN);
    // Only after a fault something is left that is not saved.
    page.on('dialog', (dialog) => dialog.accept());
    await signIn(page, serving);
    const columns = 'id, lexical, mobiledoc, html, status';
    const shell = openShell(folder);
    const read = (id: string): Stored =>
      shell.prepare(`SELECT ${columns} FROM posts WHERE id = ?`).get(id) as Stored;
    const all = shell.prepare(`SELECT ${columns} FROM posts ORDER BY id`).all() as Stored[];
    expect(all).toHaveLength(LEXICAL_POSTS + EARLIER.length);
    const faults: string[] = [];
    for (const before of all) {
      const id = before.id ?? '';
      await open(page, serving, id);
      await page.locator(AREA).getByText('Before all.').click();
      await page.getByLabel('Excerpt').fill('Saved.');
      await save(page, id);
      expect(read(id)).toEqual(before);
      const { bodies } = (await serving.admin('POST', '/bodies/', {
        bodies: [before.lexical ? { lexical: before.lexical } : { mobiledoc: before.mobiledoc }],
      })) as { bodies: [{ lexical: string }] };
      let blocks = blocksOf(before.lexical ?? bodies[0].lexical);
      for (const [at, { type }] of blocks.entries()) {
        if (['paragraph', ...FIELDLESS].includes(type)) continue;
        const cards = page.locator(`${AREA} > *`);
        try {
          await edit(page, cards.nth(at));
          await save(page, id);
          const now = blocksOf(read(id).lexical);
          const changed = now.flatMap((block, index) =>
            JSON.stringify(block) === JSON.stringify(blocks[index]) ? [] : [index],
          );
          expect([changed, now.length]).toEqual([[at], blocks.length]);
          expect(JSON.stringify(now[at])).toContain(WORDS);
          if (type !== 'email' && type !== 'email-cta') expect(read(id).html).toContain(WORDS);
          blocks = now;
          await page.locator(AREA).getByText('Before all.').click();
        } catch (error) {
          faults.push(`${before.id} ${type}: ${String(error)}`);
          await open(page, serving, id);
        }
      }
      await open(page, serving, id);
      expect(blocksOf(read(id).lexical ?? bodies[0].lexical)).toEqual(blocks);
      const { status } = before;
      expect(read(id).status).toBe(status);
      const shown = await serving.get(`/content/posts/${id}/?key=${serving.contentKey}`);
      expect(shown.status).toBe(status === 'published' ? 200 : 404);
    }
    expect(faults).toEqual([]);
  });
});
