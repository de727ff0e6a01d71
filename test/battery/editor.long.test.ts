// The editor of posts in a browser: typing, formatting, images, undoing; what is not edited is kept.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadRenderers } from '../../src/serve/editor/renderers.ts';
import { eventually } from '../helpers/eventually.ts';
import { missing } from '../matrix/program.ts';
import { everyCard, wrap } from '../unit/serve/desk/editor/documents.ts';
import { type EditorPage, openEditorPage } from './editor-page.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '.editor-area';

type Node = { type: string; children?: Node[]; [field: string]: unknown };

const blocksOf = (lexical: string | undefined): Node[] =>
  (JSON.parse(lexical ?? '') as { root: { children: Node[] } }).root.children;

describe.skipIf(reason !== null)(`the editor of posts ${reason ?? ''}`, () => {
  let opened: EditorPage;
  let page: Page;
  const errors: string[] = [];

  const open = async (lexical: string | null, html: string | null = null): Promise<void> => {
    await page.evaluate((body) => globalThis.editorPage.open(body), { lexical, html });
  };
  const last = (): Promise<string | undefined> =>
    page.evaluate(() => globalThis.editorPage.changes.at(-1));
  const changeCount = (): Promise<number> =>
    page.evaluate(() => globalThis.editorPage.changes.length);
  const type = async (words: string): Promise<void> => {
    await page.locator(AREA).click();
    await page.keyboard.type(words);
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Lexical reads a new selection after the key that made it. */
  const nextFrame = (): Promise<unknown> =>
    page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  const button = (name: string) => page.getByRole('button', { name });

  beforeAll(async () => {
    opened = await openEditorPage();
    page = opened.page;
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) errors.push(message.text());
    });
    return opened.close;
  });

  beforeEach(() => {
    errors.length = 0;
    return () => expect(errors).toEqual([]);
  });

  test("writes text in the nodes of Ghost's editor, which Ghost's renderer reads", async () => {
    await open(null);
    await type('Plain ');
    await press('Control+b');
    await page.keyboard.type('bold');
    await press('Control+b', 'Enter');
    await page.getByLabel('Kind of block').selectOption('Heading 2');
    await page.keyboard.type('Heading');
    await press('Enter');
    await page.getByLabel('Kind of block').selectOption('Quote');
    await page.keyboard.type('Quoted');
    await press('Enter');
    await button('Bulleted list').click();
    await page.keyboard.type('one');
    await press('Enter');
    await page.keyboard.type('two');
    await press('Enter', 'Enter');
    await button('Divider').click();
    await page.keyboard.type('The end');
    const lexical = await last();
    const kinds = blocksOf(lexical).map((block) => block.type);
    expect(kinds).toEqual([
      'paragraph',
      'extended-heading',
      'extended-quote',
      'list',
      'horizontalrule',
      'paragraph',
    ]);
    expect(await render(lexical ?? '')).toBe(
      '<p>Plain <strong>bold</strong></p><h2 id="heading">Heading</h2><blockquote>Quoted</blockquote>' +
        '<ul><li>one</li><li>two</li></ul><hr><p>The end</p>',
    );
  });

  test('sets and removes a link by keys alone', async () => {
    await open(null);
    await type('Read this');
    await press('Shift+Control+ArrowLeft');
    await nextFrame();
    await press('Control+k');
    await page.keyboard.type('javascript:alert(1)');
    await press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('https://example.org/');
    await press('Control+a');
    await page.keyboard.type('example.org/a');
    await press('Enter');
    expect(await render((await last()) ?? '')).toBe(
      '<p>Read <a href="https://example.org/a">this</a></p>',
    );
    await press('ArrowRight', 'ArrowLeft');
    await nextFrame();
    await press('Control+k');
    await button('Remove').click();
    expect(await render((await last()) ?? '')).toBe('<p>Read this</p>');
  });

  test('undoes to the text that it was given', async () => {
    const text = wrap(['{"type":"paragraph","children":[{"type":"text","text":"old"}]}']);
    await open(text);
    await page.locator(AREA).click();
    await press('Control+End');
    await page.keyboard.type(' and new');
    expect(await last()).toContain('"old and new"');
    // How much is undone at once depends on how fast it was typed.
    for (let at = 0; at < 8 && (await last()) !== text; at += 1) await press('Control+z');
    expect(await last()).toBe(text);
    for (let at = 0; at < 8; at += 1) await press('Control+Shift+z');
    expect(await last()).toContain('"old and new"');
  });

  test.each(['drop', 'paste'])('puts an image where it is that one does: %s', async (kind) => {
    await open(null);
    await type('Before');
    await page.evaluate(
      ([name, area]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['x'], 'bad.png', { type: 'image/png' }));
        transfer.items.add(new File(['x'], 'sea.png', { type: 'image/png' }));
        const element = document.querySelector(area ?? '');
        const { left, top } = element?.getBoundingClientRect() ?? { left: 0, top: 0 };
        const place = { clientX: left + 30, clientY: top + 25, bubbles: true, cancelable: true };
        element?.dispatchEvent(
          name === 'drop'
            ? new DragEvent('drop', { ...place, dataTransfer: transfer })
            : new ClipboardEvent('paste', { ...place, clipboardData: transfer }),
        );
      },
      [kind, AREA],
    );
    await eventually(async () => expect(await page.locator('.editor-card img').count()).toBe(1));
    await page.getByLabel('Alternative text').fill('The sea');
    await page.getByLabel('Caption').fill('At <b>noon</b>');
    await press('Enter');
    const [before, image] = blocksOf(await last());
    expect(before?.type).toBe('paragraph');
    expect(image).toEqual({
      type: 'image',
      version: 1,
      src: '/content/images/sea.png',
      width: null,
      height: null,
      title: '',
      alt: 'The sea',
      caption: 'At <b>noon</b>',
      cardWidth: 'regular',
      href: '',
    });
    expect(await render((await last()) ?? '')).toContain('alt="The sea"');
  });

  test('selects a card by a click, deletes it by a key, and goes on', async () => {
    await open(wrap(['{"type":"html","html":"<i>x</i>"}', '{"type":"horizontalrule"}']));
    await page.locator('.editor-card[data-card=html] .editor-card-content').click();
    expect(await page.locator('.editor-selected').count()).toBe(1);
    await press('Delete');
    expect(blocksOf(await last()).map((block) => block.type)).toEqual(['horizontalrule']);
    await press('Enter');
    await page.keyboard.type('On');
    expect(blocksOf(await last()).map((block) => block.type)).toEqual([
      'horizontalrule',
      'paragraph',
    ]);
  });

  test('opens a body that is known as html as one card', async () => {
    await open(null, '<p>é</p>');
    expect(await page.locator('.editor-card').textContent()).toContain('<p>é</p>');
    expect(await changeCount()).toBe(0);
    await press('Tab');
    await page.getByRole('button', { name: 'Move html down' }).focus();
    await page.locator('.editor-card-content').click();
    await press('Enter');
    await page.keyboard.type('More');
    expect(blocksOf(await last())[0]).toEqual({ type: 'html', version: 1, html: '<p>é</p>' });
  });

  test('its toolbar is one stop of the Tab key, with arrows within', async () => {
    await open(null);
    await page.locator(AREA).focus();
    await press('Alt+F10', 'ArrowRight');
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await label()).toBe('Bold (Ctrl+B)');
    await press('End');
    expect(await label()).toContain('Redo');
    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('editor-area');
  });

  test('has no serious fault that axe finds, and fits a phone, light and dark', async () => {
    await open(
      wrap([...everyCard(), '{"type":"paragraph","children":[{"type":"text","text":"x"}]}']),
    );
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 375, height: 700 });
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run('main');
        const serious = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''));
        return serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      });
      expect(found).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    }
  });
});

/** As Ghost's own renderer has it. */
const render = (lexical: string): Promise<string> =>
  loadRenderers(import.meta.url).renderLexical(lexical, 'https://site.example/');
