// The plain text of html is the one that Ghost's library makes, and takes steps that grow with the html alone.
import { excerpt } from '@tryghost/html-to-plaintext';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it, type MockInstance, vi } from 'vitest';
import {
  cutExcerpt,
  startPlaintext,
  toExcerpt,
  toPlaintext,
} from '../../../../src/publication/documents/html/plaintext.ts';
import { countSteps, STEPS_PER_UNIT_MAX } from '../../../helpers/counted-scans.ts';

const NAMES = [
  ...['p', 'div', 'span', 'b', 'a', 'h1', 'h2', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre'],
  'table',
  ...['tr', 'td', 'th', 'section', 'article', 'figure', 'figcaption', 'aside', 'dl', 'dt', 'dd'],
  'svg',
  ...['title', 'math', 'mi', 'desc', 'option', 'select', 'button', 'body', 'head'],
  'custom-element',
];
const VOIDS = ['br', 'img', 'hr', 'wbr', 'input', 'meta'];

const name = fc.constantFrom(...NAMES);
const space = fc.constantFrom('', ' ', '\n', '  \n ', '\t', '\u200b', '\u00a0', '\r\n', '\f');
const words = fc.constantFrom(
  ...['a', 'b c', ' d', 'e ', ' f  g ', 'h\ni', '\n', '\n\n', ' ', '&amp;', '&nbsp;', '&#65;'],
  '&lt',
  ...['&copy2', '&notin;', '&notit;', '&#x1F600;', '&#x80;', '&#0;', '&#xd800;', '&', '&#', '&#x;'],
  ...['<', '< ', '>', '"', '--', ']]>', '<3', '</>', '</ >', '&NotEqualTilde;', '&fjlig', '\u00e9'],
);
const attribute = fc.constantFrom(
  ...['', ' ', ' class="x"', ' class="footnotes"', " class='a footnotes b'", ' rel=footnote', '/'],
  ...[' class=kg-signup-card', ' start=7', ' start="x"', ' type=a', ' type="I"', ' start=3 type=A'],
  ...[' REL="footnote"', ' a="<b>"', " b='>'", ' c = d', ' =e', ' f=', ' start="98" type=i', ' / '],
);
const opening = fc.tuple(fc.oneof(name, fc.constantFrom(...VOIDS)), attribute, attribute);
const tag = fc.oneof(
  opening.map(([element, one, two]) => `<${element}${one}${two}>`),
  opening.map(([element, one]) => `<${element.toUpperCase()}${one}/>`),
  name.map((element) => `</${element}>`),
  name.map((element) => `</ ${element} x>`),
);
const odd = fc.constantFrom(
  ...['<!--', '-->', '<!-- a -->', '<!doctype html>', '<?x?>', '<![CDATA[ b ]]>', '<!>', '</3>'],
  '</',
  ...['<script>', '</script>', '<style>', '</style>', '<script/>', '<!-x>', '<p', '<a b="'],
  '</br>',
);
const END = '<i>z</i>';

const mixed = fc
  .array(fc.oneof(tag, words, space, odd), { maxLength: 14 })
  .map((parts) => parts.join('') + END);

/** Html as editors write it. */
const { tree } = fc.letrec<{ tree: string; node: string }>((tie) => ({
  tree: fc.array(tie('node'), { maxLength: 5 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    space,
    fc
      .tuple(name, attribute, tie('tree'))
      .map(([element, written, inner]) => `<${element}${written}>${inner}</${element}>`),
  ),
}));

const list = fc
  .array(
    fc.constantFrom(
      ...['<ul>', '<ol>', '</ul>', '</ol>', '<li>', '</li>', 'a', 'b\nc', ' ', '\n', '<p>', '</p>'],
      ...['<ol start=9>', '<ol type=I start=3>', '<br>', '<!-- -->', '<pre>', '</pre>', '<img>'],
      '<div>',
    ),
    { maxLength: 16 },
  )
  .map((parts) => parts.join('') + END);

/** Units that the parser was given. */
const unitsOf = (write: MockInstance<Parser['write']>): number =>
  write.mock.calls.reduce((sum, [chunk]) => sum + chunk.length, 0);

describe('toPlaintext', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['<p>a</p><h2>b</h2><p>c</p>', 'a\n\n\nb\n\nc'],
    ['<ul><li>a</li><li>b</li></ul>', ' * a\n * b'],
    ['<ol><li>a</li></ol>', ' 1. a'],
    ['a<br>b', 'a\nb'],
    ['<p><a href="https://e.test">link</a></p>', 'link'],
    ['<p>a</p><img alt="b"><hr><figcaption>c</figcaption><script>d</script><!-- e -->', 'a'],
    ['<blockquote>a</blockquote>', 'a'],
    ['<p>a&nbsp;&amp;</p>', 'a\u00a0&'],
  ])('reads %s', (html, text) => {
    expect(toPlaintext(html)).toBe(text);
  });

  it.each([
    ['mixed', mixed],
    ['a tree', tree],
    ['a list', list],
  ])('makes the text that the library makes of %s', (_, html) => {
    fc.assert(
      fc.property(html, (text) => {
        const expected = excerpt(text);
        // The library gives a letter for a start that is not a number.
        fc.pre(!expected.includes('\0'));
        expect(toPlaintext(text)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a body in an element of code', () => {
  it.each([
    '<script/><P/><BODY/><i>z</i>',
    '<style/><p><body>a</body></p></style><i>z</i>',
    '<p><body>a</body><script/><p/><body>b</body></script><i>z</i>',
    '<img><p/><body>a</body><i>z</i>',
  ])('is none: %s', (html) => {
    expect(toPlaintext(html)).toBe(excerpt(html));
  });
});

describe('where the library fails or says nonsense', () => {
  it.each([
    ['<ol type="I" start="4000"><li>a</li></ol>', ' 4000. a'],
    ['<ol type="a" start="0"><li>a</li></ol>', ' 0. a'],
    ['<ol type="a" start="x"><li>a</li></ol>', ' NaN. a'],
    ['<constructor>a</constructor>', 'a'],
    [`a${'\n'.repeat(300_000)}`, 'a'],
  ])('%.40s is read', (html, text) => {
    expect(toPlaintext(html).trimEnd()).toBe(text);
  });

  it('moves lists in lists no further in than ten times', () => {
    const html = `${'<ul><li>'.repeat(12)}a<br>b`;
    expect(toPlaintext(html)).toBe(` * ${'* '.repeat(11)}a\n${' '.repeat(21)}b`);
  });
});

describe('hostile html', () => {
  const pieces = [
    ...['<', '<a', '<a ', '<a b', '<a b=', '<a b="', '<p>', '<b>', '</b>', '</p>', '<br>', '</br>'],
    ...['<!--', '<!', '<?', '</', '</ ', '<![CDATA[', '&', '&a', '&#', '&#x', '&amp', '&amp;', 'a'],
    ' ',
    ...['\n', '\n ', '\u00a0', '<ul>', '<ul><li>', '<ol><li>a', '<li>', '<script>', '<title>'],
    '</script',
    ...['<svg>', '<svg/>', '<option>', '<body>', '<body></body>', '<pre>', '<h1>', '<td>'],
    '<a class="a ">',
  ];
  const starts = ['', '<ul>', '<pre>', '<script>', '<a b="', '<!--', '<p>', '<b>'.repeat(200)];

  it('takes steps that grow with it', () => {
    for (const start of starts) {
      for (const piece of pieces) {
        const html = start + piece.repeat(4_000 / piece.length);
        const steps = countSteps(() => toPlaintext(html));
        expect(steps, html.slice(0, 40)).toBeLessThanOrEqual(html.length * STEPS_PER_UNIT_MAX);
      }
    }
  });

  it('is read no further than it is too deep', () => {
    const write = vi.spyOn(Parser.prototype, 'write');
    const reading = startPlaintext(`${'<b>'.repeat(100_000)}${'</i>'.repeat(100_000)}`);
    reading.read();
    expect(reading.isTooDeep()).toBe(true);
    expect(unitsOf(write)).toBeLessThan(10_000);
    write.mockRestore();
  });

  it('makes a text that grows with it', () => {
    for (const piece of pieces) {
      const html = `${'<ul><li>'.repeat(500)}${piece.repeat(2_000)}`;
      expect(toPlaintext(html).length).toBeLessThan(50 * html.length);
    }
  });
});

it('reads of a body what an excerpt takes, and gives the same', () => {
  const long = fc.tuple(mixed, fc.integer({ min: 1, max: 60 }), tree);
  fc.assert(
    fc.property(long, ([part, times, rest]) => {
      const html = `${part.repeat(times)}${rest}<!-- --></ul></li>${part}`;
      expect(toExcerpt(html)).toBe(cutExcerpt(toPlaintext(html)));
    }),
    { numRuns: 2_000 },
  );
  const write = vi.spyOn(Parser.prototype, 'write');
  toExcerpt('<p>word</p>'.repeat(100_000));
  expect(unitsOf(write)).toBeLessThan(10_000);
  write.mockRestore();
});

describe('cutExcerpt', () => {
  it.each([
    ['a shorter text', 'a'.repeat(499), 499],
    ['a text of 500 units', 'a'.repeat(500), 500],
    ['a longer text', 'a'.repeat(501), 500],
    ['a pair that ends at the cut', `${'a'.repeat(498)}😀b`, 500],
    ['a pair across the cut', `${'a'.repeat(499)}😀`, 499],
  ])('cuts %s', (_, text, units) => {
    expect(cutExcerpt(text)).toBe(text.slice(0, units));
  });
});
