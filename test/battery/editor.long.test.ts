// Ghost's editor in the desk's frame, in a browser: what is not edited is written as it was stored, whatever the editor
// makes of it, what it cannot read is never written over, and nothing that somebody stored runs. These hold for each
// version of the editor: no other one is taken before they pass.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadRenderers } from '../../src/serve/editor/renderers.ts';
import { documentOf, everyCard, ghostPosts } from '../helpers/editor-documents.ts';
import { eventually } from '../helpers/eventually.ts';
import { missing } from '../matrix/program.ts';
import { GENERATED, generatedDocument } from '../unit/serve/editor/generated-documents.ts';
import { type EditorPage, openEditorPage } from './editor-page.ts';
import { sayRow, sized } from './size.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
const AREA = '[aria-label="Body of the post"]';

/** Faults of Koenig's own menu and cards, where it opens them, by axe's names. */
const KNOWN: Readonly<Record<string, string>> = {
  '': 'color-contrast link-name nested-interactive',
  image: 'aria-input-field-name color-contrast',
  divider: '',
  button: 'aria-required-children aria-required-parent listitem',
  bookmark: '',
  gallery: 'aria-input-field-name color-contrast',
  'public preview': 'color-contrast',
  'call to action': 'aria-input-field-name color-contrast',
  callout: 'aria-input-field-name button-name color-contrast',
  header:
    'aria-input-field-name aria-required-children aria-required-parent button-name color-contrast listitem',
  toggle: 'aria-input-field-name color-contrast',
  video: 'aria-input-field-name color-contrast',
  audio: 'color-contrast',
  file: 'color-contrast',
  product: 'aria-input-field-name color-contrast',
  html: 'aria-input-field-name',
  markdown: 'label',
  embed: '',
};

type Node = { readonly type: string; readonly [field: string]: unknown };

const blocksOf = (lexical: string): Node[] =>
  (JSON.parse(lexical) as { root: { children: Node[] } }).root.children;

const textOf = (text: string): string =>
  `{"type":"paragraph","version":1,"children":[{"type":"text","version":1,"text":"${text}"}]}`;

/** A node that a newer Ghost may have made. */
const UNKNOWN = '{"type":"later-card","version":3,"odd":[1,{"a":null}]}';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';

/** With a paragraph at its end. */
const withLast = (text: string): string => {
  const { root, ...more } = JSON.parse(text) as { root: { children: Node[] } };
  const children = [...root.children, JSON.parse(textOf('Last.')) as Node];
  return JSON.stringify({ ...more, root: { ...root, children } });
};

const storedDocuments = (): string[] => [
  ...ghostPosts(),
  ...Array.from({ length: sized({ short: 60, long: GENERATED }) }, (_, at) =>
    generatedDocument(at),
  ),
  ...everyCard().map((card) => documentOf([textOf('Before'), card, textOf('After')])),
  documentOf([textOf('Before'), UNKNOWN, textOf('After')]),
  documentOf([`{"type":"paragraph","children":[${UNKNOWN}]}`, textOf('After')]),
  // Koenig would upload them, and write the same word for both.
  documentOf(
    ['AAAA', 'BBBB'].map((bytes) => `{"type":"image","src":"data:image/png;base64,${bytes}"}`),
  ),
  documentOf([]),
];

describe.skipIf(reason !== null)(`the editor of posts ${reason ?? ''}`, () => {
  let opened: EditorPage;
  let page: Page;
  const errors: string[] = [];

  const open = (lexical: string): Promise<void> =>
    page.evaluate((text) => globalThis.editorPage.open(text), lexical);
  const changes = (): Promise<string[]> => page.evaluate(() => globalThis.editorPage.changes);
  const last = async (): Promise<string> => (await changes()).at(-1) ?? '';
  const broken = () => page.evaluate(() => globalThis.editorPage.broken);
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  /** By a click below the text. */
  const focusLast = async (): Promise<void> => {
    const place = page.locator('.editor');
    const { height = 0 } = (await place.boundingBox()) ?? {};
    await place.click({ position: { x: 20, y: height - 5 } });
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Body of the post');
  };

  beforeAll(async () => {
    opened = await openEditorPage({
      '/content/files/x.js': 'top.ran = "file"; ran = "file";',
      '/a.svg': SVG,
      '/content/images/sea.svg': SVG,
    });
    page = opened.page;
    page.on('pageerror', (error) => errors.push(String(error)));
    return opened.close;
  });

  beforeEach(() => {
    errors.length = 0;
    return () => expect(errors).toEqual([]);
  });

  test('a stored document is the same text until it is edited, and its other blocks stay then', async () => {
    let edited = 0;
    for (const stored of storedDocuments()) {
      const text = withLast(stored);
      await open(text);
      expect([text, await broken()]).toEqual([text, null]);
      await focusLast();
      expect([text, await changes()]).toEqual([text, []]);
      await page.keyboard.insertText(' Added.');
      const blocks = blocksOf(await last());
      expect(blocks.slice(0, -1)).toEqual(blocksOf(stored));
      expect(JSON.stringify(blocks.at(-1))).toContain('Added.');
      await press('Control+z');
      expect(await last()).toBe(text);
      edited += 1;
    }
    sayRow('round trips of the editor', { documents: edited });
  });

  test('text around a node that is unknown can be edited', async () => {
    await open(documentOf([textOf('Before'), UNKNOWN, textOf('After')]));
    await page.getByText('This part (later-card) is kept as it is.').waitFor();
    await page.getByText('After', { exact: true }).click();
    await press('End');
    await page.keyboard.type(' all');
    const [before, unknown, after] = blocksOf(await last());
    expect([before, unknown]).toEqual([JSON.parse(textOf('Before')), JSON.parse(UNKNOWN)]);
    expect(JSON.stringify(after)).toContain(' all');
  });

  test.each([
    ['no JSON', 'no JSON'],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a root without children', '{"root":{"type":"root"}}'],
    ['a child that is null', documentOf(['null'])],
    [
      'one that is too deep',
      documentOf(['{"type":"list","children":['.repeat(20_000) + ']}'.repeat(20_000)]),
    ],
    ['an element without a name', documentOf(['{"type":"heading","tag":"x y","children":[]}'])],
  ])('a broken document is said, and nothing of it is written: %s', async (_what, text) => {
    await open(text);
    await eventually(async () => expect(await broken()).toContain('It is kept as it is.'));
    await page.keyboard.type('Typed');
    expect(await changes()).toEqual([]);
    expect(await page.locator(AREA).count()).toBe(0);
    errors.length = 0;
  });

  test('what is written by shortcuts and the menu is what Ghost’s renderer reads', async () => {
    await open(documentOf([]));
    await page.locator(AREA).click();
    await page.keyboard.type('Plain **bold** text.');
    await press('Enter');
    await page.keyboard.type('## Heading');
    await press('Enter');
    await page.keyboard.type('> Quoted');
    await press('Enter');
    await page.keyboard.type('- one');
    await press('Enter');
    await page.keyboard.type('two');
    await press('Enter', 'Enter');
    await page.keyboard.type('/divider');
    await page.getByText('Divider', { exact: true }).waitFor();
    await press('Enter');
    await page.locator(`${AREA} hr`).waitFor();
    await page.keyboard.type('The end');
    expect(await render(await last())).toBe(
      '<p>Plain <strong>bold</strong> text.</p><h2 id="heading">Heading</h2><blockquote>Quoted</blockquote>' +
        '<ul><li>one</li><li>two</li></ul><hr><p>The end</p>',
    );
  });

  test('what is typed while a card is selected stands in a field of it, or below it', async () => {
    const openCard = async (name: string): Promise<void> => {
      await open(documentOf([]));
      await page.locator(AREA).click();
      await page.keyboard.type('Before');
      await press('Enter');
      await page.keyboard.type(`/${name}`);
      await page.locator('[data-kg-cardmenu-selected="true"]').waitFor();
      await press('Enter');
      await page.locator('[data-kg-card]').waitFor();
    };
    await openCard('divider');
    await press('ArrowUp');
    await page.keyboard.type('Words');
    expect(await render(await last())).toMatch(/^<p>Before<\/p><hr><p>Words<\/p>/);
    for (const name of ['button', 'embed', 'bookmark']) {
      await openCard(name);
      const field = page.locator('input:visible').first();
      // Of a button, the text has the focus at first.
      if (name !== 'button') await field.click();
      await page.keyboard.type('Words');
      expect([name, await field.inputValue()]).toEqual([name, 'Words']);
      expect(await page.locator(`${AREA} > p`).first().innerText()).toBe('Before');
    }
  });

  test('a sign of several keys, or of none, that is typed while a card is selected stands below it, or in its caption', async () => {
    const session = await page.context().newCDPSession(page);
    for (const [card, key] of [
      ['{"type":"horizontalrule","version":1}', 'Dead'],
      ['{"type":"horizontalrule","version":1}', 'Process'],
      ['{"type":"image","version":1,"src":"/a.svg"}', 'Process'],
      // A picker of emoji, or dictation.
      ['{"type":"horizontalrule","version":1}', 'picker'],
      ['{"type":"image","version":1,"src":"/a.svg"}', 'picker'],
      ['{"type":"horizontalrule","version":1}', 'dictation'],
      ['{"type":"image","version":1,"src":"/a.svg"}', 'dictation'],
    ] as const) {
      await open(documentOf([textOf('Before'), card, textOf('After')]));
      await page.locator('[data-kg-card]').click();
      await page.locator('[data-kg-card-selected="true"]').waitFor();
      if (/^[A-Z]/.test(key)) {
        await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: 'KeyN' });
      }
      if (key !== 'picker') {
        const selection = { selectionStart: 1, selectionEnd: 1 };
        await session.send('Input.imeSetComposition', { text: '´', ...selection });
      }
      await session.send('Input.insertText', { text: 'é' });
      await eventually(async () => expect(await last()).toContain('é'));
      expect([key, blocksOf(await last())[0]]).toEqual([key, JSON.parse(textOf('Before'))]);
    }
  });

  test('what is typed while a picture is selected is its caption', async () => {
    await open(documentOf([textOf('Before'), '{"type":"image","version":1,"src":"/a.svg"}']));
    await page.locator(`${AREA} [data-kg-card="image"] img`).click();
    await page.locator('[data-kg-card-selected="true"] figcaption [contenteditable]').waitFor();
    await page.keyboard.type('Words');
    await eventually(async () => expect(await last()).toContain('Words'));
    const [text, picture, ...more] = blocksOf(await last());
    expect([text, picture, more]).toEqual([
      JSON.parse(textOf('Before')),
      expect.objectContaining({ type: 'image', caption: expect.stringContaining('Words') }),
      [],
    ]);
  });

  test('an editor that fails while somebody writes says so once, and what it reported can be opened', async () => {
    await open(documentOf([textOf('Before')]));
    await focusLast();
    await page.keyboard.insertText(' Typed.');
    const written = await last();
    await page.evaluate(() => {
      globalThis.editorPage.throws = true;
    });
    await press('Control+a');
    await page.waitForFunction(() => globalThis.editorPage.crashes > 0);
    await page.locator(AREA).waitFor({ state: 'detached' });
    expect(await last()).toBe(written);
    expect(await page.evaluate(() => globalThis.editorPage.crashes)).toBe(1);
    errors.length = 0;
    await open(written);
    await page.locator(AREA).getByText('Before Typed.').waitFor();
  });

  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

  /** With a picture, or with html. */
  const paste = (given: {
    readonly file?: string;
    readonly bytes?: string;
    readonly html?: string;
  }) =>
    page.evaluate(
      ({ file, bytes = '', html = '', area }) => {
        const clipboardData = new DataTransfer();
        if (html !== '') clipboardData.setData('text/html', html);
        if (file !== undefined) {
          const parts = [Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))];
          clipboardData.items.add(new File(parts, file, { type: 'image/png' }));
        }
        const event = { clipboardData, bubbles: true, cancelable: true };
        document.querySelector(area)?.dispatchEvent(new ClipboardEvent('paste', event));
      },
      { bytes: PNG, ...given, area: AREA },
    );

  test('pictures that are pasted stand one below the other; one that fails says why', async () => {
    await open(documentOf([textOf('Before')]));
    await page.locator(AREA).click();
    await press('Control+End');
    const sources = async (): Promise<unknown[]> =>
      blocksOf(await last()).flatMap(({ src }) => (src ? [src] : []));
    for (const [at, name] of ['sea.png', 'sky.png'].entries()) {
      await paste({ file: name });
      await eventually(async () => expect((await sources())[at]).toBe(`/content/images/${name}`));
    }
    await paste({ html: '<p>Pasted.</p>' });
    await page.locator(AREA).getByText('Pasted.').waitFor();
    expect(await render(await last())).toMatch(/Before.*sea\.png.*sky\.png.*Pasted\./s);
    await paste({ file: 'bad.png' });
    await page.getByText('It is no image.').first().waitFor();
    await press('Enter');
    await paste({ file: 'cut.png', bytes: 'iVBORw==' });
    await eventually(async () =>
      expect(await page.evaluate(() => globalThis.editorPage.faults)).toEqual([
        'The picture cannot be read. Use a format that browsers show.',
      ]),
    );
  });

  test('a picture that the public site does not have yet is shown as this server has it', async () => {
    await open(documentOf(['{"type":"image","src":"http://127.0.0.1:9/content/images/sea.svg"}']));
    const shown = await page.locator(`${AREA} img`).elementHandle();
    await page.waitForFunction((img) => (img as HTMLImageElement).naturalWidth > 0, shown);
    expect(await changes()).toEqual([]);
  });

  test('axe finds no serious fault in the text; those of Koenig’s menu and cards are known by name', async () => {
    const faults = async (): Promise<string[]> => {
      await page.evaluate(AXE);
      return page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run();
        const serious = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''));
        return serious.map(({ id }) => id);
      });
    };
    await open(documentOf([textOf('Before'), UNKNOWN]));
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults()).toEqual([]);
    }
    const seen = new Set<string>();
    for (const [name, known] of Object.entries(KNOWN)) {
      await open(documentOf([]));
      await focusLast();
      await page.keyboard.type('/');
      await page.locator('[data-kg-slash-menu] [data-kg-cardmenu-selected="true"]').waitFor();
      if (name !== '') {
        const menu = page.locator('[data-kg-slash-menu]');
        const whole = await menu.innerText();
        await page.keyboard.insertText(name);
        await eventually(async () => expect(await menu.innerText()).not.toBe(whole));
        await press('Enter');
        await page.locator('[data-kg-card]').waitFor();
      }
      // Koenig has buttons of its own for them.
      expect(await page.locator('input[type="file"]:visible').count()).toBe(0);
      const isNew = (id: string): boolean => !known.split(' ').includes(id);
      await eventually(async () => {
        const found = await faults();
        for (const id of found) seen.add(id);
        expect([name, found.filter(isNew)]).toEqual([name, []]);
      });
    }
    const text = readFileSync(join(import.meta.dirname, '../../docs/admin-interface.md'), 'utf8');
    const [, said = ''] = /Ghost's editor \(Koenig\):\s+([^.]*)/.exec(text) ?? [];
    const names = [...new Set(Object.values(KNOWN).flatMap((ids) => ids.match(/\S+/g) ?? []))];
    expect(said.match(/[\w-]+(?=`)/g)).toEqual(names.toSorted());
    // What Koenig mends is not said any more.
    expect(names.filter((name) => !seen.has(name))).toEqual([]);
  });

  test('no script of a card runs, and no style fetches', async () => {
    const evil = `<img src=x onerror="top.ran='img'"><script>top.ran='script'</script><script src="/content/files/x.js"></script>`;
    const frame = `${evil}<iframe srcdoc="${evil.replaceAll('"', '&quot;')}"></iframe>`;
    const card = (fields: object): string => JSON.stringify({ version: 1, ...fields });
    const style = 'color:red;background:url(https://evil.example/style)';
    const asked: string[] = [];
    page.on('response', (response) => asked.push(response.url()));
    page.on('requestfailed', (request) =>
      asked.push(`${request.failure()?.errorText} ${request.url()}`),
    );
    await open(
      documentOf([
        card({ type: 'html', html: frame }),
        card({
          type: 'embed',
          url: 'https://a.example/',
          embedType: 'rich',
          html: frame,
          metadata: {},
          caption: evil,
        }),
        card({ type: 'markdown', markdown: evil }),
        card({ type: 'callout', calloutText: evil, calloutEmoji: '💡', backgroundColor: 'blue' }),
        card({ type: 'toggle', heading: evil, content: evil }),
        card({
          type: 'bookmark',
          url: 'javascript:top.ran=1',
          metadata: { title: evil },
          caption: evil,
        }),
        card({ type: 'image', src: '/a.svg', caption: evil, alt: evil }),
        card({
          type: 'paragraph',
          children: [{ type: 'text', version: 1, text: 'Styled', style }],
        }),
        card({ type: 'html', html: `<p style="${style}">Styled</p>` }),
      ]),
    );
    await page
      .frameLocator('[data-testid="embed-iframe"]')
      .locator('img')
      .waitFor({ state: 'attached' });
    await page.screenshot();
    expect(await page.evaluate(() => (globalThis as { ran?: string }).ran ?? null)).toBeNull();
    expect(
      asked.filter((url) => /evil\.example|x\.js/.test(url) && !url.startsWith('csp ')),
    ).toEqual([]);
  });

  test('no script runs in any text of any card, in an embed that is asked for, and in what is pasted', async () => {
    const evil = `<p>Seen</p><img src=x onerror="top.ran='img'"><script>top.ran='script'</script><a href="javascript:top.ran=1">x</a>`;
    const ran = () => page.evaluate(() => (globalThis as { ran?: string }).ran ?? null);
    for (const card of everyCard()) {
      await open(documentOf([textOf('Before'), withTexts(card, evil), textOf('After')]));
      await page.getByText('After', { exact: true }).click();
      await press('ArrowUp', 'Control+Enter');
      expect([card, await ran()]).toEqual([card, null]);
    }
    await open(documentOf([]));
    await page.evaluate((html) => {
      globalThis.editorPage.embed = html;
    }, evil);
    await focusLast();
    await page.keyboard.type('/embed https://a.example/1');
    await press('Enter');
    await page.frameLocator('[data-testid="embed-iframe"]').getByText('Seen').waitFor();
    expect(await ran()).toBeNull();
    await open(documentOf([]));
    await focusLast();
    await paste({ html: evil });
    await page.locator(AREA).getByText('Seen').waitFor();
    await page.screenshot();
    expect(await ran()).toBeNull();
  });
});

/** Words that a card chooses among, which are no text of anybody. */
const CHOSEN =
  /^(?:type|layout|alignment|style|size|backgroundSize|cardWidth|embedType|format|direction)$/;

const withTexts = (card: string, text: string): string =>
  JSON.stringify(
    JSON.parse(card, (key, value: unknown) =>
      typeof value === 'string' && !CHOSEN.test(key) ? text : value,
    ),
  );

/** As Ghost's own renderer has it. */
const render = (lexical: string): Promise<string> =>
  loadRenderers(import.meta.url).renderLexical(lexical, 'https://site.example/');
