// Markdown that is read again, as GitHub reads it, has each text and each link of the html that it was made of: of every card
// of Ghost's editor, and of any markup around texts that look like Markdown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { renderCards } from '../../docs/card-examples.js';
import { htmlToMarkdown } from '../../src/pages/site/markdown/html-to-markdown.ts';
import { SEED } from '../helpers/random.ts';
import { readPage } from '../helpers/read-page.ts';

const reader = new MarkdownIt({ html: true });
/** Cards have their pictures in their addresses. */
reader.validateLink = () => true;

const squeezed = (text: string): string => text.replace(/\s+/g, ' ');

type Found = { readonly text: string; readonly addresses: readonly string[] };

/** What a person finds in html. */
const findIn = (html: string): Found => {
  const addresses = readPage(html).elements.map(
    ({ attributes: { href, src } }) => href ?? src ?? '',
  );
  return { text: squeezed(textOf(html)), addresses: addresses.map(decoded) };
};

/** Elements end words, but for those within a line. */
const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:a|b|strong|em|i|s|del|code)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '');

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

/** Hosts take both spellings of an address. */
const decoded = (address: string): string => {
  try {
    return decodeURI(address).replace(/%[0-9a-f]{2}/gi, decodeURIComponent);
  } catch {
    return address;
  }
};

const lostOf = ({ text, addresses }: Found, html: string): string[] => {
  const found = findIn(reader.render(htmlToMarkdown(html)));
  return [
    ...text.split(' ').filter((word) => !found.text.includes(word)),
    ...addresses.filter((one) => one.trim() !== '' && !found.addresses.includes(one)),
  ];
};

/** What only a browser uses: players, forms, scripts, and pictures of bookmarks. */
const FOR_BROWSERS =
  /<(script|style|noscript|svg|button|form)\b[\s\S]*?<\/\1>|<(span|div) class="kg-(?:audio|video)-(?:current-time|time|duration)[^>]*>[\s\S]*?<\/\2>|<div class="kg-bookmark-thumbnail">.*?<\/div>|<img\b[^>]*kg-(?:bookmark|audio)[^>]*>|about:blank/g;

const exportSchema = z.object({
  db: z.tuple([
    z.object({
      data: z.object({
        posts: z.array(z.object({ slug: z.string(), html: z.string().nullable() })),
      }),
    }),
  ]),
});

const exportedBodies = (): [string, string][] => {
  const file = join(import.meta.dirname, '../fixtures/ghost-small/ghost-export.json');
  const [{ data }] = exportSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).db;
  return data.posts.map(({ slug, html }) => [slug, html ?? '']);
};

test('no word and no link of a card, or of an exported body, is lost', async () => {
  const cards = [...((await renderCards()) as [string, string][]), ...exportedBodies()];
  expect(cards.length).toBeGreaterThan(25);
  const lost = cards.flatMap(([title, html]) =>
    lostOf(findIn(html.replace(FOR_BROWSERS, ' ')), html).map(
      (part) => `${title}: ${part.slice(0, 80)}`,
    ),
  );
  expect(lost).toEqual([]);
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Text that Markdown would read as its own. */
const word = fc.constantFrom(
  ...[
    'a',
    'end.',
    '*b*',
    '_c_',
    '~~d~~',
    '~~~',
    '```',
    '`e`',
    '#',
    '##',
    '1.',
    '2)',
    '-',
    '+',
    '=',
  ],
  ...[
    '>',
    '|',
    'f|g',
    '\\',
    '\\h',
    '<i>',
    '&copy;',
    '[j](k)',
    '![l](m)',
    'https://n.example/',
    '---',
  ],
  ...['snake_case', '2*3*4', '!', '$', ':', '\u00e9', '\u{1f30a}'],
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((some) => some.join(' '));
const address = fc
  .array(fc.constantFrom('a', 'b(c)', '_d_', '?e=f&g', '*', '[h]', 'i%20j', '|', '~', '#k'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => `https://example.com/${parts.join('')}`);

const inside = (name: string, html: string): string => `<${name}>${html}</${name}>`;
const linked = (to: string, html: string): string => `<a href="${escaped(to)}">${html}</a>`;

const { html } = fc.letrec<{ line: string; html: string }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 3 },
    words.map(escaped),
    words.map((text) => inside('code', escaped(text))),
    address.map((to) => `<img src="${escaped(to)}" alt="">`),
    fc
      .tuple(address, tie('line'))
      .map(([to, text]) => linked(to, text.replace(/<\/?a\b[^>]*>/g, ''))),
    fc
      .tuple(fc.constantFrom('em', 'strong', 'del', 's', 'span'), tie('line'))
      .map(([name, text]) => inside(name, text)),
    fc.tuple(tie('line'), tie('line')).map(([one, two]) => `${one} ${two}`),
  ),
  html: fc.oneof(
    { maxDepth: 3 },
    tie('line').map((text) => inside('p', text)),
    fc
      .tuple(fc.constantFrom('h2', 'h6', 'li', 'summary'), tie('line'))
      .map(([name, text]) => inside(name, text)),
    words.map((text) => inside('pre', inside('code', escaped(text.replaceAll(' ', '\n'))))),
    fc
      .tuple(fc.constantFrom('div', 'blockquote', 'aside', 'figure', 'details'), tie('html'))
      .map(([name, text]) => inside(name, text)),
    fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('html'), { maxLength: 3 }))
      .map(([name, items]) => inside(name, items.map((item) => inside('li', item)).join(''))),
    fc
      .array(fc.array(tie('line'), { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 })
      .map((rows) =>
        inside(
          'table',
          rows.map((row) => inside('tr', row.map((one) => inside('td', one)).join(''))).join(''),
        ),
      ),
    fc.tuple(tie('html'), tie('html')).map((both) => both.join('')),
  ),
}));

test(`no word and no link of any markup is lost (seed ${SEED})`, () => {
  fc.assert(
    fc.property(html, (one) => {
      expect(lostOf(findIn(one), one)).toEqual([]);
    }),
    {
      seed: SEED,
      numRuns: 400,
      // A block that the converter takes for a part of a line begins an item, with a space.
      examples: [
        ['<ul><li><summary><img src="https://example.com/a" alt=""> a</summary></li></ul>'],
      ],
    },
  );
});
