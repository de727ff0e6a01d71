// The scanners of html that is saved do what the expressions did that define them, in steps that grow with
// the text alone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  toStoredHtml,
  toStoredUrl,
} from '../../../../src/publication/documents/html/stored-urls.ts';
import { dropScripts } from '../../../../src/serve/editor/drop-scripts.ts';
import { expectLinear } from '../../../helpers/counted-scans.ts';

const SITE = { siteUrl: 'https://site.test' };

type Marks = { readonly open: RegExp; readonly close: RegExp };

const outside = (html: string, marks: Marks, edit: (part: string) => string): string => {
  const [open, close] = [new RegExp(marks.open), new RegExp(marks.close)];
  let edited = '';
  let at = 0;
  for (;;) {
    open.lastIndex = at;
    const opened = open.exec(html);
    close.lastIndex = open.lastIndex;
    if (opened === null || close.exec(html) === null) return edited + edit(html.slice(at));
    edited += edit(html.slice(at, opened.index)) + html.slice(opened.index, close.lastIndex);
    at = close.lastIndex;
  }
};

const CARD = {
  open: /<!--\s*kg-card-begin:\s*html\s*-->/gi,
  close: /<!--\s*kg-card-end:\s*html\s*-->/gi,
};
const SCRIPT = /<script\b[\s\S]*?(?:<\/script[^<>]*>|$)/gi;

const pieces = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 12 }).map((all) => all.join(''));

describe('dropScripts', () => {
  const html = pieces(
    ...['<script', '</script', '<SCRIPT', '</Script', '<script>', '</script>', '\u017fcript'],
    ...['<!--kg-card-begin: html-->', '<!--kg-card-end: html-->', '<!--', 'kg-card-begin:', 'html'],
    ...['>', ' ', 'a', '_', '<', '/', 'script', '-->', '\n', '\u00a0'],
  );

  it('drops what the definition drops', () => {
    fc.assert(
      fc.property(html, (text) => {
        const defined = outside(text, CARD, (part) => part.replace(SCRIPT, ''));
        expect(dropScripts(text)).toBe(defined);
      }),
      { numRuns: 10_000 },
    );
  });

  it('reads hostile html in steps that grow with it', () => {
    const hostile = ['<script', '<script>', '</script', '<script></script', '<', '<!--', '</'];
    const cards = ['<!--kg-card-begin: html-->', '<!--kg-card-begin:', '<!-- ', '<scriptx'];
    expectLinear(
      [...hostile, ...cards].map((piece) => ({ piece })),
      dropScripts,
    );
    expectLinear([{ start: '<script>', piece: '</script' }], dropScripts);
  });
});

const CODE = { open: /<code[\s>]/gi, close: /<\/code>/gi };
const ADDRESS =
  /(\s(?:href|src|data-kg-background-image|data-kg-custom-thumbnail|data-kg-thumbnail)\s*=\s*)(["'])([^"']*)\2/gi;
const SRCSET = /(\ssrcset\s*=\s*)(["'])([^"']*)\2/gi;
const STYLE_URL = /(url\(\s*["']?)([^"')]+)/gi;
const STYLE = /(\sstyle\s*=\s*)("[^"]*"|'[^']*')/gi;

const definedSrcset = (set: string): string =>
  set
    .split(',')
    .map((candidate) => candidate.replace(/\S+/, (url) => toStoredUrl(url, SITE)))
    .join(',');

const definedTag = (tag: string): string =>
  tag
    .replace(
      ADDRESS,
      (_, name: string, quote: string, url: string) =>
        `${name}${quote}${toStoredUrl(url.trim(), SITE)}${quote}`,
    )
    .replace(
      SRCSET,
      (_, name: string, quote: string, set: string) =>
        `${name}${quote}${definedSrcset(set)}${quote}`,
    )
    .replace(
      STYLE,
      (_, name: string, value: string) =>
        `${name}${value.replace(STYLE_URL, (_all, open: string, url: string) => `${open}${toStoredUrl(url, SITE)}`)}`,
    );

const defined = (html: string): string =>
  outside(html, CODE, (part) => part.replace(/<[a-z][^<>]*>/gi, definedTag));

describe('toStoredHtml', () => {
  const name = fc.constantFrom(
    ...['href', 'SRC', 'srcset', 'style', 'data-kg-thumbnail', 'title', 'data-src', 'hrefx', 'sr'],
  );
  const value = fc.constantFrom(
    ...['/a', `${SITE}/b`, SITE, ' /c ', '//d', 'url(/e)', 'color:red;background:URL( /f )'],
    ...[
      '/g 2x',
      '/h 1x,  /i 2x',
      '',
      'https://other.test/',
      `url(${SITE})`,
      'url(',
      'x=y',
      '&amp;/',
    ],
  );
  const written = fc
    .tuple(
      fc.constantFrom(' ', '\n', '  '),
      name,
      fc.constantFrom('=', ' = ', '=\n'),
      fc.constantFrom('"', "'"),
      value,
    )
    .map(([space, key, sign, quote, text]) => `${space}${key}${sign}${quote}${text}${quote}`);
  const attribute = fc.oneof(written, fc.constantFrom(' async', ' href', ' a=b', ' /', ' href=/z'));
  const tag = fc
    .tuple(fc.constantFrom('a', 'IMG', 'div', 'svg'), fc.array(attribute, { maxLength: 4 }))
    .map(([element, attributes]) => `<${element}${attributes.join('')}>`);
  const other = fc.constantFrom(
    ...['text', '<', '>', '</a>', '<code>', '</code>', '<code ', '< a', '"'],
  );
  const html = fc.array(fc.oneof(tag, other), { maxLength: 6 }).map((all) => all.join(''));

  it('stores the addresses that the definition stores', () => {
    fc.assert(
      fc.property(html, (text) => {
        expect(toStoredHtml(text, SITE)).toBe(defined(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    [`<a title=" href='/x' " href="/y">`, `<a title=" href='/x' " href="__GHOST_URL__/y">`],
    [`<a href="/it's">`, `<a href="__GHOST_URL__/it's">`],
    ['<a title="x href="/y">', '<a title="x href="/y">'],
  ])('reads attributes as a browser does: %s', (text, stored) => {
    expect(toStoredHtml(text, SITE)).toBe(stored);
  });

  it.each([
    '<a href=" https://other.test/ ">',
    '<img srcset="https://other.test/w_1,/a.png 1x,https://other.test/b.png   2x ,//c.png">',
    '<code><a href="/in-code/"></code>',
  ])('leaves what is not of the site as it is written: %s', (text) => {
    expect(toStoredHtml(text, SITE)).toBe(text);
  });

  it('finds each address of a srcset, and the folder of a site below one', () => {
    const html = '<img srcset="/a.png 1x,/b,c.png 2x, /d.png,"> <a href="/blog/x/">';
    expect(toStoredHtml(html, { siteUrl: 'https://site.test/blog' })).toBe(
      '<img srcset="__GHOST_URL__/a.png 1x,__GHOST_URL__/b,c.png 2x, __GHOST_URL__/d.png,"> <a href="__GHOST_URL__/x/">',
    );
  });

  it('reads hostile html in steps that grow with it', () => {
    const parts = ['<a ', ' href', ' href=', ' href="', ' style="url('];
    const piece = parts.concat(["='", '<code>', '<code ', '<']);
    const starts = ['', '<a', '<a href="', '<a style="', '<a style="url('];
    const texts = starts.flatMap((start) =>
      ['', '>', '">'].flatMap((end) => piece.map((one) => ({ start, piece: one, end }))),
    );
    expectLinear([...texts, { start: '<a', piece: ' ' }, { start: '<a', piece: '=' }], (text) =>
      toStoredHtml(text, SITE),
    );
  });
});
