import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FormatAnswer, FormatRequest } from '../../../../src/serve/editor/editor-formats.ts';
import { createFormatThread } from '../../../../src/serve/editor/format-thread.ts';
import { FORMAT_PACKAGES, INSTALL_COMMAND } from '../../../../src/serve/editor/packages.ts';
import { FORMAT_WORKER, skipFormats } from '../../../helpers/format-thread.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { pngOf } from '../../../helpers/upload-files.ts';
import { lexicalOf, link, mobiledocOf, paragraph, words } from './documents.ts';

const site = { siteUrl: 'https://news.example', uploadUrls: ['http://127.0.0.1:4000'] };
const thread = createFormatThread({ workerFile: FORMAT_WORKER });
afterAll(() => thread.close());

const convert = (from: FormatRequest['from'], text: string): Promise<FormatAnswer> =>
  thread.convert({ from, text, site });

const faultOf = (answer: FormatAnswer): string => ('fault' in answer ? answer.fault : 'none');
const parsed = (answer: FormatAnswer): { html: string | null; lexical: string } => {
  if ('fault' in answer) throw new Error(answer.fault);
  return answer;
};

describe.skipIf(skipFormats)('the thread of editor formats', () => {
  test('a lexical document becomes html', async () => {
    const { html, lexical } = parsed(
      await convert('lexical', lexicalOf(paragraph(words('Bold', 1), words(' and not')))),
    );
    expect(html).toBe('<p><strong>Bold</strong> and not</p>');
    expect(JSON.parse(lexical).root.children[0].children[0].text).toBe('Bold');
  });

  test('own addresses are stored with the placeholder, in html and document alike', async () => {
    const picture = { row: 0, fileName: 'd.png', width: 1, height: 1 };
    const nodes = [
      { type: 'image', src: 'http://127.0.0.1:4000/content/images/a.png' },
      { type: 'html', html: '<img src="/content/images/b.png">' },
      { type: 'markdown', markdown: '[c](https://news.example/c/) `https://news.example/`' },
      { type: 'gallery', images: [{ src: '/content/images/d.png', ...picture }] },
      {
        ...{ type: 'bookmark', url: 'https://news.example/e/' },
        metadata: { icon: 'https://news.example/i.png' },
      },
    ].map((node) => ({ version: 1, ...node }));
    const links = [link('https://news.example/a/', 'a'), link('https://other.example/', 'b')];
    const { html, lexical } = parsed(
      await convert('lexical', lexicalOf(paragraph(...links), ...nodes)),
    );
    for (const text of [html, lexical]) {
      for (const path of [
        ...['/a/', '/content/images/a.png', '/content/images/b.png', '/c/'],
        ...['/content/images/d.png', '/e/', '/i.png'],
      ]) {
        expect(text).toContain(`__GHOST_URL__${path}`);
      }
      expect(text).toContain('https://other.example/');
    }
    expect(lexical.replaceAll('`https://news.example/`', '')).not.toContain('news.example');
  });

  test('own pictures have sizes, and the sides of their files where the document has none', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'images'));
    writeFileSync(join(folder, 'images/a b.png'), pngOf(1200, 800));
    const pictures = { widths: [600, 1000, 1600], folders: [join(folder, 'absent'), folder] };
    const sized = { width: 700, height: 10 };
    const nodes = [
      { type: 'image', src: 'http://127.0.0.1:4000/content/images/a%20b.png' },
      { type: 'image', src: '/content/images/drawing.svg', ...sized },
      { type: 'image', src: '/content/images/../../secret.png' },
      { type: 'image', src: 'https://other.example/content/images/c.png', ...sized },
    ].map((node) => ({ version: 1, ...node }));
    const text = lexicalOf(...nodes);
    const { html, lexical } = parsed(
      await thread.convert({ from: 'lexical', text, site, pictures }),
    );
    const images = '__GHOST_URL__/content/images';
    const [first, ...others] = html?.match(/<img[^>]*>/g) ?? [];
    expect(first).toBe(
      `<img src="${images}/a%20b.png" class="kg-image" alt="" loading="lazy" width="1200" height="800" srcset="${images}/size/w600/a%20b.png 600w, ${images}/size/w1000/a%20b.png 1000w, ${images}/a%20b.png 1200w" sizes="(min-width: 720px) 720px">`,
    );
    expect(others.map((other) => other.includes('srcset'))).toEqual([false, false, false]);
    expect(JSON.parse(lexical).root.children[0]).toMatchObject({ width: 1200, height: 800 });
    const { html: without } = parsed(await convert('lexical', text));
    expect(without).not.toContain('srcset');
  });

  test('a mobiledoc becomes lexical and html', async () => {
    const { html, lexical } = parsed(
      await convert('mobiledoc', mobiledocOf('Hello', [['html', { html: '<hr>' }]])),
    );
    expect(html).toBe('<p>Hello</p>\n<!--kg-card-begin: html-->\n<hr>\n<!--kg-card-end: html-->\n');
    expect(JSON.parse(lexical).root.type).toBe('root');
  });

  test('html becomes a lexical document that renders to about the same', async () => {
    const { lexical } = parsed(await convert('html', '<h2>A</h2><p>B <a href="/c/">c</a></p>'));
    expect(parsed(await convert('lexical', lexical)).html).toBe(
      '<h2 id="a">A</h2><p>B <a href="__GHOST_URL__/c/">c</a></p>',
    );
  });

  test('an empty document shows nothing', async () => {
    expect(parsed(await convert('lexical', lexicalOf(paragraph()))).html).toBeNull();
  });

  test.each([
    ['no JSON', '{"root"', 'is not JSON'],
    ['no root', '{}', 'has no root'],
    ['another root', '{"root":{"type":"paragraph"}}', 'has a root that is not of type "root"'],
    ['no children', '{"root":{"type":"root"}}', 'has a root without children'],
    ['no node', lexicalOf(7), 'has no node at root.children[0]'],
    ['no type', lexicalOf({}), 'has a node without a type at root.children[0]'],
    [
      'a text without text',
      lexicalOf(paragraph({ type: 'text' })),
      'has a text without text at root.children[0].children[0]',
    ],
    [
      'children of another kind',
      lexicalOf({ type: 'paragraph', children: {} }),
      'has children that are not a list at root.children[0]',
    ],
  ])('%s is refused', async (_name, text, fault) => {
    expect(faultOf(await convert('lexical', text))).toBe(fault);
  });

  test('what the renderer cannot do with a document is its fault', async () => {
    const answer = await convert('lexical', lexicalOf({ type: 'header', version: 9 }));
    expect(faultOf(answer)).toMatch(/^cannot be rendered: .*version 9/);
    expect(faultOf(await convert('mobiledoc', '{"sections":7}'))).toBe('has no sections');
    expect(faultOf(await convert('mobiledoc', '{"sections":[1]}'))).toBe('has no sections');
  });

  test('a document that takes too long is given up, and the next is rendered', async () => {
    const hasty = createFormatThread({ workerFile: FORMAT_WORKER, timeMs: 1 });
    const long = lexicalOf(
      paragraph(...Array.from({ length: 50_000 }, (_, at) => words('w', at % 2))),
    );
    const given = await hasty.convert({ from: 'lexical', text: long, site });
    expect(faultOf(given)).toBe('takes longer than 0.001 seconds to render');
    await hasty.close();
    const late = await hasty.convert({ from: 'lexical', text: lexicalOf(), site });
    expect(faultOf(late)).toBe('cannot be rendered');
    expect(parsed(await convert('lexical', lexicalOf(paragraph(words('Next'))))).html).toBe(
      '<p>Next</p>',
    );
  });

  test('documents that come together are answered each', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((text) => convert('lexical', lexicalOf(paragraph(words(text))))),
    );
    expect(answers.map((answer) => parsed(answer).html)).toEqual([
      '<p>a</p>',
      '<p>b</p>',
      '<p>c</p>',
    ]);
  });
});

test('without the packages the answer says how to install them', async () => {
  const bare = createFormatThread({ workerFile: FORMAT_WORKER, place: 'file:///nowhere/x.js' });
  const answer = await bare.convert({ from: 'lexical', text: lexicalOf(), site });
  expect(faultOf(answer)).toContain(`run "${INSTALL_COMMAND}", or send html with ?source=html`);
  expect(bare.installCommand()).toBe(INSTALL_COMMAND);
  expect(createFormatThread({ workerFile: FORMAT_WORKER }).installCommand()).toBe(null);
  await bare.close();
});

test('the packages of the command are those that are tested', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
  const { devDependencies } = JSON.parse(text) as { readonly devDependencies: object };
  expect(devDependencies).toMatchObject(FORMAT_PACKAGES);
});
