// What is found in a document before any package of Ghost's reads it; no thread, and no package, is needed.
import { describe, expect, test } from 'vitest';
import { parseJson, readLexical } from '../../../../src/serve/editor/lexical-document.ts';
import type { UrlMap } from '../../../../src/serve/editor/renderers.ts';
import { toStoredLexical } from '../../../../src/serve/editor/stored-document.ts';
import { lexicalOf, link, paragraph, words } from './documents.ts';

const TYPES = new Map<string, UrlMap | null>([
  ['root', null],
  ['paragraph', null],
  ['extended-text', null],
  ['link', null],
  ['heading', null],
  ['image', { src: 'url', caption: 'html' }],
  ['bookmark', { 'metadata.icon': 'url' }],
  ['gallery', { images: { src: 'url' } }],
  ['markdown', { markdown: 'markdown' }],
]);
const site = { siteUrl: 'https://news.example' };

const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

const stored = (...children: readonly unknown[]): string => {
  const read = readLexical(lexicalOf(...children), TYPES);
  return 'fault' in read ? read.fault : toStoredLexical(read.document, TYPES, site);
};

describe('a document', () => {
  test('is nested 400 deep at most, and brackets in texts do not count', () => {
    expect(parseJson(nested(399))).toHaveProperty('value');
    expect(parseJson(nested(400))).toEqual({ fault: 'is nested more than 400 deep' });
    expect(parseJson('['.repeat(1_000_000))).toEqual({ fault: 'is nested more than 400 deep' });
    expect(parseJson(JSON.stringify({ a: `\\"${'['.repeat(1_000)}` }))).toHaveProperty('value');
  });

  test('has no property that could reach a prototype', () => {
    expect(parseJson('[{"__proto__": {"x": 1}}]')).toEqual({
      fault: 'has a property named "__proto__"',
    });
    expect(parseJson('[{"constructor": 1, "__proto": 2}]')).toHaveProperty('value');
  });

  test('has nodes of known types alone', () => {
    expect(stored({ type: 'other' })).toBe(
      'has a node of the unknown type "other" at root.children[0]',
    );
    expect(stored(paragraph(words('x')))).toBe(lexicalOf(paragraph(words('x'))));
  });

  test.each(['script', 'h1 onload=x', 'h7', undefined])('has no heading of the tag %s', (tag) => {
    expect(stored({ type: 'heading', tag, children: [] })).toBe(
      'has a heading whose tag is none of h1, h2, h3, h4, h5, h6 at root.children[0]',
    );
    expect(stored({ type: 'heading', tag: 'h6', children: [] })).toContain('"tag":"h6"');
  });

  test.each([
    ['a link', paragraph(link('https://news.example/a/', 'x')), '"url":"__GHOST_URL__/a/"'],
    [
      'a foreign link',
      paragraph(link('https://news.example.org/', 'x')),
      '"url":"https://news.example.org/"',
    ],
    ['a picture', { type: 'image', src: '/content/a.png' }, '"src":"__GHOST_URL__/content/a.png"'],
    ['a caption', { type: 'image', caption: '<a href="/b/">b</a>' }, 'href=\\"__GHOST_URL__/b/\\"'],
    ['a part', { type: 'bookmark', metadata: { icon: '/i.png' } }, '"icon":"__GHOST_URL__/i.png"'],
    ['a list', { type: 'gallery', images: [{ src: '/a.png' }, 7] }, '"src":"__GHOST_URL__/a.png"'],
    [
      'markdown',
      { type: 'markdown', markdown: '[a](/b/ "t") (/c/)' },
      '[a](__GHOST_URL__/b/ \\"t\\") (/c/)',
    ],
    ['a script', paragraph(link('javascript:alert(1)', 'x')), '"url":"javascript:alert(1)"'],
    ['something odd', { type: 'image', src: 7 }, '"src":7'],
    ['nothing', { type: 'bookmark' }, '{"type":"bookmark"}'],
  ])('stores the addresses of %s', (_name, node, text) => {
    expect(stored(node)).toContain(text);
  });
});
