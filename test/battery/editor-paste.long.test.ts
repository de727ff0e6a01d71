// What is pasted into the editor from other programs, in the form in which they put it on the clipboard: no word and no
// picture of it is lost, and what cannot come along is said.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadRenderers } from '../../src/serve/editor/renderers.ts';
import { documentOf } from '../helpers/editor-documents.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';
import { type EditorPage, openEditorPage } from './editor-page.ts';

const reason = missing('chromium', 'apt-get install chromium');

const AREA = '[aria-label="Body of the post"]';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const span = (text: string, style = ''): string =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;text-decoration:none;${style}">${text}</span>`;

const GOOGLE_DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-0b1d2c3e-7fff">
<h2 dir="ltr" style="line-height:1.38;margin-top:18pt;">${span('Tides')}</h2>
<p dir="ltr" style="line-height:1.38;">${span('Plain, ')}${span('bold', 'font-weight:700;')}${span(' and ')}${span('slanted', 'font-style:italic;')}${span('.')}
<a href="https://example.com/" style="text-decoration:none;">${span('A link', 'color:#1155cc;text-decoration:underline;')}</a></p>
<ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation">${span('one')}</p></li>
<li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation">${span('two')}</p></li></ul>
<p dir="ltr"><span><span style="border:none;display:inline-block;overflow:hidden;width:1px;height:1px;"><img src="data:image/png;base64,${PNG}" width="1" height="1" style="margin-left:0px;"></span></span></p>
<p dir="ltr">${span('The end.')}</p></b>`;

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
<style><!-- p.MsoNormal {margin:0cm} --></style></head><body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->
<h1>Tides<o:p></o:p></h1><p class=MsoNormal>Plain, <b>bold</b> and <i>slanted</i>.<o:p></o:p></p>
<p class=MsoNormal><![if !vml]><img width=10 height=10 src="file:///C:/Users/me/msohtmlclip1/01/clip_image002.png"><![endif]><o:p></o:p></p>
<table class=MsoTableGrid border=1><tr><td><p class=MsoNormal>A cell<o:p></o:p></p></td></tr></table>
<p class=MsoNormal>The end.<o:p></o:p></p><!--EndFragment--></body></html>`;

const MARKDOWN =
  '## Tides\n\nPlain, **bold** and *slanted*.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';

type Pasted = Readonly<Partial<Record<'html' | 'text' | 'file', string>>>;

describe.skipIf(reason !== null)(`what is pasted into the editor ${reason ?? ''}`, () => {
  let opened: EditorPage;
  let page: Page;

  beforeAll(async () => {
    opened = await openEditorPage();
    page = opened.page;
    return opened.close;
  });

  /** Into a text with one word before. */
  const paste = async (given: Pasted, refuses = false): Promise<void> => {
    const before =
      '{"type":"paragraph","version":1,"children":[{"type":"text","version":1,"text":"Before."}]}';
    await page.evaluate((text) => globalThis.editorPage.open(text), documentOf([before]));
    await page.locator(AREA).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.evaluate(
      ({ html = '', text = '', file, bytes, area, refused }) => {
        globalThis.editorPage.refuses = refused;
        const clipboardData = new DataTransfer();
        if (html !== '') clipboardData.setData('text/html', html);
        if (text !== '') clipboardData.setData('text/plain', text);
        if (file !== undefined) {
          const part = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
          clipboardData.items.add(new File([part], file, { type: 'image/png' }));
        }
        const event = { clipboardData, bubbles: true, cancelable: true };
        document.querySelector(area)?.dispatchEvent(new ClipboardEvent('paste', event));
      },
      { ...given, bytes: PNG, area: AREA, refused: refuses },
    );
  };

  const changes = (): Promise<string[]> => page.evaluate(() => globalThis.editorPage.changes);
  const faults = (): Promise<string[]> => page.evaluate(() => globalThis.editorPage.faults);
  const written = async (): Promise<string> =>
    loadRenderers(import.meta.url).renderLexical(
      (await changes()).at(-1) ?? documentOf([]),
      'https://site.example/',
    );

  const TEXT =
    '<p>Plain, <strong>bold</strong> and <em>slanted</em>. <a href="https://example.com/"><u>A link</u></a></p>' +
    '<ul><li>one</li><li>two</li></ul>';
  /** With the address of its picture. */
  const around = (picture: string): string =>
    `<p>Before.</p><h2 id="tides">Tides</h2>${TEXT}[${picture}]<p>The end.</p>`;
  const shortened = async (): Promise<string> =>
    (await written()).replace(/<figure.*?src="([^"]*)".*?<\/figure>/, '[$1]');

  test('a picture within text of Google Docs is uploaded once, and its bytes are kept until then', async () => {
    await paste({ html: GOOGLE_DOCS, text: 'Tides' });
    await eventually(async () => {
      const [upload = ''] = await page.evaluate(() => globalThis.editorPage.uploads);
      const name = upload.replace(/^image /, '/content/images/');
      expect(await shortened()).toBe(around(name));
    });
    expect(await page.evaluate(() => globalThis.editorPage.uploads)).toHaveLength(1);
    const all = await changes();
    expect(
      all.filter((one) => one.includes('The end.') && !/base64,|\/content\/images\//.test(one)),
    ).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('one that cannot be uploaded stays within the text, and why is said', async () => {
    await paste({ html: GOOGLE_DOCS, text: 'Tides' }, true);
    await eventually(async () =>
      expect(await faults()).toEqual([
        'A pasted picture was not uploaded, and stays within the text. It is no image.',
      ]),
    );
    await eventually(async () =>
      expect(await shortened()).toBe(around(`data:image/png;base64,${PNG}`)),
    );
    // It is not tried again when it is shown again.
    const uploads = () => page.evaluate(() => globalThis.editorPage.uploads.length);
    const before = await uploads();
    const lexical = (await changes()).at(-1) ?? '';
    await page.evaluate((text) => globalThis.editorPage.open(text), lexical);
    await page.locator(`${AREA} img`).waitFor();
    expect([await uploads(), await changes()]).toEqual([before, []]);
  });

  test('text of Word comes in place of a picture of it, without addresses of the disk', async () => {
    await paste({ html: WORD, text: 'Tides', file: 'image.png' });
    await eventually(async () => expect(await written()).toContain('<p>The end.</p>'));
    const html = await written();
    expect(html).toMatch(
      /<h1 id="tides">Tides<\/h1><p>Plain, <strong>bold<\/strong> and <em>slanted<\/em>\.<\/p>.*<table[^>]*>.*A cell.*<\/table>/s,
    );
    expect(html).not.toMatch(/file:|<img/);
    expect(await faults()).toEqual([
      'Some pictures of the pasted text cannot be read here. Drop their files where they belong.',
    ]);
  });

  test('a link that is a script leads nowhere, and a picture beside a page elsewhere is left out', async () => {
    await paste({
      html: '<p>The <a href="java&#10;script:alert(1)">end</a> <img src="a.png">.</p>',
    });
    await eventually(async () => expect(await written()).toMatch(/<p>The end\s*\.<\/p>/));
    expect(await faults()).toEqual([
      'Some pictures of the pasted text cannot be read here. Drop their files where they belong.',
    ]);
  });

  test('Markdown becomes blocks, a table of it an HTML card', async () => {
    await paste({ text: MARKDOWN });
    await eventually(async () =>
      expect(await written()).toMatch(
        /<h2 id="tides">Tides<\/h2><p>Plain, <strong>bold<\/strong> and <em>slanted<\/em>\.<\/p><ul><li>one<\/li><li>two<\/li><\/ul>\s*<!--kg-card-begin: html-->\s*<table>/,
      ),
    );
  });

  test('what is dropped stands where it was dropped, below a card too; other files are refused', async () => {
    const text = (words: string): string =>
      `{"type":"paragraph","version":1,"children":[{"type":"text","version":1,"text":"${words}"}]}`;
    const card =
      '{"type":"callout","version":1,"calloutText":"Kept","calloutEmoji":"","backgroundColor":"blue"}';
    await page.evaluate(
      (lexical) => globalThis.editorPage.open(lexical),
      documentOf([text('One.'), card, text('Two.')]),
    );
    const session = await page.context().newCDPSession(page);
    const folder = temporaryFolder();
    /** At the lower left corner. */
    const drop = async (on: Locator, given: { file?: string; text?: string }): Promise<void> => {
      const box = await on.boundingBox();
      const { x = 0, y = 0, height = 0 } = box ?? {};
      const path = join(folder, given.file ?? '');
      if (given.file) writeFileSync(path, Buffer.from(PNG, 'base64'));
      const items = given.text ? [{ mimeType: 'text/plain', data: given.text }] : [];
      const data = { items, files: given.file ? [path] : [], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        const at = { x: x + 2, y: y + height - 5 };
        await session.send('Input.dispatchDragEvent', { type, ...at, data });
      }
    };
    const blocks = async (): Promise<string[]> => {
      const { root } = JSON.parse((await changes()).at(-1) ?? documentOf([])) as {
        root: { children: { type: string; src?: string; children?: { text?: string }[] }[] };
      };
      return root.children.map(
        ({ type, src, children }) => src ?? children?.map((one) => one.text ?? '').join('') ?? type,
      );
    };
    const expectBlocks = (...wanted: string[]): Promise<void> =>
      eventually(async () => {
        expect((await blocks()).filter((one) => one !== '')).toEqual(wanted);
      });
    const sea = '/content/images/sea.png';
    const sky = '/content/images/sky.png';
    const last = page.locator(`${AREA} > p`).last();
    await drop(page.locator(`${AREA} > p`).first(), { file: 'sea.png' });
    await expectBlocks('One.', sea, 'callout', 'Two.');
    await drop(page.locator('[data-kg-card="callout"]'), { file: 'sky.png' });
    await expectBlocks('One.', sea, 'callout', sky, 'Two.');
    await drop(last, { text: 'Dropped.' });
    await expectBlocks('One.', sea, 'callout', sky, 'Dropped.Two.');
    await drop(page.locator('.editor'), { file: 'reef.png' });
    await expectBlocks('One.', sea, 'callout', sky, 'Dropped.Two.', '/content/images/reef.png');
    await drop(page.locator(`${AREA} > p`).first(), { file: 'paper.pdf' });
    await eventually(async () =>
      expect(await faults()).toEqual([
        'paper.pdf is no picture, video or audio file. Upload it in a File card.',
      ]),
    );
    // Else the browser opens it.
    const outside = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(over);
      return over.defaultPrevented;
    });
    expect(outside).toBe(true);
  });
});
