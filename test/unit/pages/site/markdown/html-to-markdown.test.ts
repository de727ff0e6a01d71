// Every card of Ghost's editor, and what bodies hold beside cards, as Markdown: no word and no link is lost.
import { expect, test } from 'vitest';
import { renderCards } from '../../../../../docs/card-examples.js';
import { htmlToMarkdown } from '../../../../../src/pages/site/markdown/html-to-markdown.ts';
import { readPage } from '../../../../helpers/read-page.ts';

/** What only a browser uses: players, forms, scripts. */
const FOR_BROWSERS =
  /<(script|style|noscript|svg|button|form)\b[\s\S]*?<\/\1>|<(span|div) class="kg-(?:audio|video)-(?:current-time|time|duration)[^>]*>[\s\S]*?<\/\2>/g;

/** Without what keeps Markdown from reading a character as its own. */
const unescaped = (markdown: string): string => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');

const wordsOf = (html: string): string[] =>
  html
    .replace(FOR_BROWSERS, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

const addressesOf = (html: string): string[] =>
  readPage(html)
    .elements.flatMap(({ name, attributes: { href, src, class: names = '' } }) =>
      name === 'img' && /kg-(?:bookmark|audio)/.test(names)
        ? []
        : [href, name === 'script' ? '' : src],
    )
    .filter((address) => address !== undefined && !/^(?:|about:blank)$/.test(address)) as string[];

test('no word and no link of a card is lost', async () => {
  const cards = (await renderCards()) as [string, string][];
  expect(cards.length).toBeGreaterThan(18);
  const lost = cards.flatMap(([title, html]) => {
    // The picture of a bookmark is left out.
    const shown = html.replace(/<div class="kg-bookmark-thumbnail">.*?<\/div>/g, '');
    const markdown = unescaped(htmlToMarkdown(html));
    return [...wordsOf(shown), ...addressesOf(shown)]
      .filter((part) => !markdown.includes(part))
      .map((part) => `${title}: ${part.slice(0, 80)}`);
  });
  expect(lost).toEqual([]);
});

test('nothing of a card is for browsers alone', async () => {
  const all = ((await renderCards()) as [string, string][])
    .map(([, html]) => htmlToMarkdown(html))
    .join('\n');
  expect(all.match(/function|1×|0:00|Email sent|keyframes|<\w+/g)).toBeNull();
});

test.for<readonly [string, string]>([
  ['<p>&lt;b&gt; &amp;copy; a|b ~c~ *d*</p>', '\\<b> \\&copy; a\\|b \\~c\\~ \\*d\\*'],
  ['<p><del>old</del> <a href="/a b)(">x</a></p>', '~~old~~ [x](</a b\\)\\(>)'],
  ['<pre><code class="language-md">```\na\n```</code></pre>', '````md\n```\na\n```\n````'],
  ['<pre>a  &lt;b\n  c</pre>', '```\na  <b\n  c\n```'],
  [
    '<table><caption>T</caption><tr><th>A</th><th>B</th></tr><tr><td><p>1</p><p>2</p></td><td>x|y</td></tr></table>',
    'T\n\n| A | B |\n| --- | --- |\n| 1<br>2 | x\\|y |',
  ],
  [
    '<table><tbody><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
    '|  |  |\n| --- | --- |\n| a |  |\n| b | c |',
  ],
  [
    '<iframe src="https://e.example/v?a=1&amp;b=2" title="A film"></iframe>',
    '[A film](https://e.example/v?a=1&b=2)',
  ],
  ['<a href="/one"><div>First [1]</div><div>second</div></a>', '[First \\[1\\]](/one)\n\nsecond'],
])('%s', ([html, markdown]) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});
