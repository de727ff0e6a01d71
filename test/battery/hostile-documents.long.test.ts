// Hostile documents against the running command: each ends in one 4xx that leaves nothing, or in a stored document that
// is built. What is long never reaches the server's own thread as a text.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { withPreload } from '../helpers/preload.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { type Server, startServer } from './server.ts';
import { IS_LONG, sayRow } from './size.ts';

const suite = suiteFolder();
const PARSED = join(suite.path, 'parsed');
/** Writes down the longest text that the server's own thread parses as JSON. */
const NOTING = `
import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread) {
  const { parse } = JSON;
  let longest = 0;
  JSON.parse = (text, ...more) => {
    if (text.length > longest) writeFileSync(${JSON.stringify(PARSED)}, String(longest = text.length));
    return parse(text, ...more);
  };
}`;

let server: Server;
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test', '--empty']);
  writeFileSync(PARSED, '0');
  server = await startServer(suite.path, { environment: withPreload(suite.path, NOTING) });
});
afterAll(async () => {
  await server.end();
  suite.remove();
});

type Body = { readonly html?: string; readonly lexical?: string; readonly mobiledoc?: string };
type Case = readonly [what: string, body: Body];

const MB = 1_000_000;
const many = (text: string, count: number): string => text.repeat(count);
const json = JSON.stringify;
const rooted = (...children: unknown[]): Body => ({
  lexical: json({ root: { type: 'root', children } }),
});
const text = (value: unknown, more = {}) => ({ type: 'text', text: value, ...more });
const inParagraph = (...children: unknown[]) => ({ type: 'paragraph', children });
const nested = (depth: number): string =>
  `{"root":${many('{"type":"paragraph","children":[', depth)}${many(']}', depth)}}`;
const mobile = (more: object): Body => ({
  mobiledoc: json({ version: '0.3.1', atoms: [], cards: [], markups: [], sections: [], ...more }),
});

const REFUSED: Case[] = [
  ['200,000 nested nodes', { lexical: nested(200_000) }],
  ['a million nested lists', { lexical: `${many('[', MB)}${many(']', MB)}` }],
  ['nodes nested 500 deep', { lexical: nested(500) }],
  ['a document of nothing but brackets', { lexical: many('[', MB) }],
  ['a document of nothing but quotes', { lexical: many('"', MB) }],
  ['no JSON', { lexical: '{' }],
  ['half a document', { lexical: '{"root":{"type":"root","children":[{"type":"par' }],
  ['a number', { lexical: '1e999' }],
  ['a text', { lexical: '"root"' }],
  ['a list', { lexical: '[]' }],
  ['null as a document', { lexical: 'null' }],
  ['no root', { lexical: '{}' }],
  ['null as root', { lexical: '{"root":null}' }],
  ['a root of another type', { lexical: '{"root":{"type":"paragraph","children":[]}}' }],
  ['a root without children', { lexical: '{"root":{"type":"root"}}' }],
  ['children that are an object', rooted({ type: 'paragraph', children: {} })],
  ['children that are a text', rooted({ type: 'paragraph', children: 'abc' })],
  ['a child that is null', rooted(null)],
  ['a child that is a number', rooted(1)],
  ['a child that is a list', rooted([])],
  ['a node without a type', rooted({ children: [] })],
  ['a type that is a number', rooted({ type: 1 })],
  ['an unknown type', rooted({ type: 'script', text: 'alert(1)' })],
  ['a type of every object', rooted({ type: 'constructor' })],
  ['another one', rooted({ type: '__proto__' })],
  ['a type of 1 MB', rooted({ type: many('a', MB) })],
  ['a text that is a number', rooted(inParagraph(text(1)))],
  ['a text that is an object', rooted(inParagraph(text({ toString: 1 })))],
  ['a prototype', { lexical: '{"root":{"type":"root","children":[],"__proto__":{"a":1}}}' }],
  ['a prototype within', { lexical: '{"root":{"type":"root","children":[]},"x":{"__proto__":1}}' }],
  ['two documents', { ...rooted(inParagraph(text('a'))), ...mobile({}) }],
  ['a mobiledoc that is no JSON', { mobiledoc: '{"version"' }],
  ['a mobiledoc without sections', { mobiledoc: '{"version":"0.3.1"}' }],
  ['sections that are no list', mobile({ sections: 'abc' })],
  ['a mobiledoc nested deeply', { mobiledoc: `{"sections":${many('[', 5000)}${many(']', 5000)}}` }],
  [
    'a heading that is a script',
    rooted({ type: 'heading', tag: 'script', children: [text('hostile()')] }),
  ],
  [
    'a heading with a space in its tag',
    rooted({ type: 'heading', tag: 'h1 onload=x', children: [] }),
  ],
  ['html nested 2,000 deep', { html: many('<b>', 2000) }],
  ['a million nested elements', { html: many('<b>', MB) }],
];

/** What stands in place of `script`, so that it is told from one of the page itself. */
const card = (type: string, more: object): Body => rooted({ type, version: 1, ...more });
const XSS = '"><script>hostile()</script><img src=x onerror=hostile()>';

const EITHER: Case[] = [
  [
    'a list of an unknown kind',
    rooted({ type: 'list', listType: 'x', tag: 'script', children: [] }),
  ],
  [
    'a list that starts far away',
    rooted({ type: 'list', listType: 'number', tag: 'ol', start: 1e308, children: [] }),
  ],
  [
    'an indent of a million',
    rooted({
      type: 'list',
      tag: 'ul',
      listType: 'bullet',
      children: [{ type: 'listitem', indent: MB, value: 1, children: [text('a')] }],
    }),
  ],
  [
    'a paragraph with that indent',
    rooted({ type: 'paragraph', indent: MB, children: [text('a')] }),
  ],
  ['a format of all bits', rooted(inParagraph(text('a', { format: 2 ** 31 - 1 })))],
  ['a format that is a text', rooted(inParagraph(text('a', { format: '<b>' })))],
  ['markup in a text', rooted(inParagraph(text(XSS)))],
  ['NUL and lone surrogates', rooted(inParagraph(text('\0\ud800\udfff\ufffe')))],
  [
    'a link to a script',
    rooted(inParagraph({ type: 'link', url: `javascript:hostile()${XSS}`, children: [text('a')] })),
  ],
  [
    'an image with markup',
    card('image', { src: `x${XSS}`, alt: XSS, title: XSS, width: -1, height: 1e308 }),
  ],
  [
    'a gallery of 5,000 pictures',
    card('gallery', { images: Array(5000).fill({ src: 'a.png', fileName: 'a', row: 0 }) }),
  ],
  ['a bookmark of nothing', card('bookmark', {})],
  ['a bookmark with markup', card('bookmark', { url: XSS, metadata: { title: XSS, icon: XSS } })],
  ['an embed of nothing', card('embed', {})],
  ['a code block of 300 KB', card('codeblock', { code: many('<', 300_000), language: XSS })],
  ['markdown of quotes', card('markdown', { markdown: many('>', 5_000) })],
  ['markdown of brackets', card('markdown', { markdown: many('[', 50_000) })],
  ['markdown of emphasis', card('markdown', { markdown: many('*a _', 20_000) })],
  [
    'a product of a billion stars',
    card('product', { productTitle: XSS, productRatingEnabled: true, productStarRating: 1e9 }),
  ],
  ['a sound of no length', card('audio', { src: 'a', duration: 'x', title: XSS })],
  ['a video of odd sides', card('video', { src: 'a', width: -1, height: 0, duration: -1 })],
  ['a file of odd size', card('file', { src: 'a', fileSize: -1e308, fileTitle: XSS })],
  [
    'a callout of markup',
    card('callout', { calloutText: XSS, calloutEmoji: XSS, backgroundColor: XSS }),
  ],
  ['a toggle of markup', card('toggle', { heading: XSS, content: XSS })],
  ['a button of a script', card('button', { buttonText: XSS, buttonUrl: 'javascript:hostile()' })],
  ['a header of markup', card('header', { header: XSS, size: XSS, style: XSS })],
  ['a signup without labels', card('signup', { labels: null })],
  ['a thousand paywalls', rooted(...Array(1000).fill({ type: 'paywall', version: 1 }))],
  ['a root in the root', rooted({ type: 'root', children: [] })],
  ['a text beside paragraphs', rooted(text('a'))],
  ['1,000 paragraphs', rooted(...Array(1000).fill(inParagraph(text('a'))))],
  [
    'a mobiledoc of unknown sections',
    mobile({
      sections: [
        [99, 'x'],
        [1, 'script', []],
      ],
    }),
  ],
  ['markers that close too much', mobile({ sections: [[1, 'p', [[0, [], 9, 'a']]]] })],
  ['markers that are not there', mobile({ sections: [[1, 'p', [[0, [7], 1, 'a']]]] })],
  ['a card that is not there', mobile({ sections: [[10, 7]] })],
  ['an atom that is not there', mobile({ sections: [[1, 'p', [[1, [], 0, 7]]]] })],
  ['a card without a payload', mobile({ cards: [['image', null]], sections: [[10, 0]] })],
  ['an unknown card', mobile({ cards: [['hostile', {}]], sections: [[10, 0]] })],
  ['a section that is a script', mobile({ sections: [[1, 'script', [[0, [], 0, 'hostile()']]]] })],
  [
    'a markup that is a script',
    mobile({ markups: [['script']], sections: [[1, 'p', [[0, [0], 1, 'a']]]] }),
  ],
  ['html of open comments', { html: many('<!--', 50_000) }],
  [
    'html of gates that do not close',
    { html: many('<!--kg-gated-block:begin nonMember:true -->', 5_000) },
  ],
  ['html of scripts in SVG', { html: many('<svg><script>hostile()</script></svg>', 1_000) }],
  ['html of half a script', { html: `<p>a</p>${many('<script', 20_000)}` }],
  ['html of ends without begins', { html: many('</b>', 50_000) }],
  ['an element of 50,000 attributes', { html: `<p ${many('a=b ', 50_000)}>` }],
  ['html of references', { html: many('&amp;lt&#x41;&#1114112;', 10_000) }],
  ['html as plain text', { html: `<plaintext>${many('<b>', 10_000)}` }],
  [
    'a picture of 1 MB in its address',
    { html: `<img src="data:image/png;base64,${many('A', MB)}">` },
  ],
  ['text of 10 MB', { html: `<p>${many('a ', 4.9 * MB)}</p>` }],
  ['10 MB of small elements', { html: many('<b>a</b>', 1.2 * MB) }],
  ['a document with a text of 8 MB', rooted(inParagraph(text(many('a ', 4 * MB))))],
  ['a document of 30,000 paragraphs', rooted(...Array(30_000).fill(inParagraph(text('a'))))],
];

/** The short form leaves out most of what takes seconds. */
const LONG_BYTES = MB;
const isTried = ([, body]: Case): boolean =>
  IS_LONG || json(body).length < LONG_BYTES || body.html?.includes(many('a ', MB)) === true;

const list = async (): Promise<string[]> => {
  const { posts } = (await server.admin('GET', '/posts/?limit=100&fields=id&formats=')) as {
    posts: { id: string }[];
  };
  return posts.map(({ id }) => id);
};

const save = (body: Body) =>
  server.ask('POST', `/posts/${body.html === undefined ? '' : '?source=html'}`, {
    posts: [{ title: 'Hostile', status: 'published', ...body }],
  });

type Saved = { readonly posts: readonly [{ readonly id: string; readonly html: string | null }] };

describe('refused, and nothing stays', () => {
  test.each(REFUSED)('%s', async (_what, body) => {
    const { status, body: problem } = await save(body);
    expect([400, 422]).toContain(status);
    expect(problem).toMatchObject({ errors: [{ message: expect.any(String) }] });
    expect(await list()).toEqual([]);
  });
});

test.each(EITHER.filter(isTried))('%s: refused, or stored and built', async (_what, body) => {
  const { status, body: answer } = await save(body);
  expect([201, 400, 422]).toContain(status);
  if (status !== 201) {
    expect(await list()).toEqual([]);
    return;
  }
  const { id, html } = (answer as Saved).posts[0];
  try {
    // What Ghost's own cards take as html is html; nothing else becomes a script.
    if (body.html === undefined && !MARKUP.test(body.lexical ?? '')) {
      expect(html ?? '').not.toMatch(/<script|<img src=x/i);
    }
    const file = join(suite.path, 'output/content/posts', id, 'index.json');
    await eventually(() =>
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ posts: [{ id }] }),
    );
    expect(await server.admin('GET', '/state/')).toMatchObject({ state: { setAside: [] } });
  } finally {
    await server.admin('DELETE', `/posts/${id}/`);
  }
  expect(await list()).toEqual([]);
});

/** Cards with fields of html, which Ghost writes as they are. */
const MARKUP = /"type":"(?:callout|toggle|header|product|markdown|image|bookmark)"/;

test('the server answers still, what stands is what was written, and no long text reached its thread', async () => {
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  await prepress(suite.path, ['verify']);
  const units = Number(readFileSync(PARSED, 'utf8'));
  expect(units).toBeLessThanOrEqual(300_000);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const peak = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
  sayRow('hostile documents', {
    classes: REFUSED.length + EITHER.filter(isTried).length,
    'MB at most': peak,
  });
});
