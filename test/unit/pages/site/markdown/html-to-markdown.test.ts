// Every card of Ghost's editor, and what bodies hold beside cards, as Markdown.
import { expect, test } from 'vitest';
import { renderCards } from '../../../../../docs/card-examples.js';
import { htmlToMarkdown } from '../../../../../src/pages/site/markdown/html-to-markdown.ts';

test('nothing of a card is for browsers alone', async () => {
  const all = ((await renderCards()) as [string, string][])
    .map(([, html]) => htmlToMarkdown(html))
    .join('\n');
  expect(all.match(/function|1×|0:00|Email sent|keyframes|<\w+/g)).toBeNull();
});

test('html is converted to a depth of 100, whether or not it holds words', () => {
  const nested = (depth: number, text: string): string => `${'<div>'.repeat(depth)}${text}`;
  expect(htmlToMarkdown(nested(100, 'a'))).toBe('a');
  const unclosed = Array.from({ length: 101 }, (_, at) => `<p><b id="${at}">a</p>`).join('');
  for (const html of [nested(101, 'a'), `<p>a</p>${nested(101, '')}`, unclosed])
    expect(() => htmlToMarkdown(html)).toThrow(RangeError);
  const hidden = unclosed.replaceAll('a</p>', 'a<!--</b>--></p>');
  for (const html of [hidden, `<!-->${unclosed}`, `<!-- a --!>${unclosed}`])
    expect(() => htmlToMarkdown(html)).toThrow(RangeError);
  // A parser keeps three that are alike.
  expect(htmlToMarkdown('<p><i class="fa"/>a</p>'.repeat(101))).toMatch(/a/);
});

test.for<readonly [string, string]>([
  ['<p>&lt;b&gt; &amp;copy; a|b ~c~ *d*</p>', '\\<b> \\&copy; a\\|b \\~c\\~ \\*d\\*'],
  ['<p><del>old</del> <a href="/a b)(">x</a></p>', '~~old~~ [x](</a b\\)\\(>)'],
  ['<pre><code class="language-md">```\na\n```</code></pre>', '````md\n```\na\n```\n````'],
  ['<p><s><del>old</del></s></p>', '~~old~~'],
  ['<p>Oh!<a href="/x">x</a> un<em>believ</em>able</p>', 'Oh\\![x](/x) un*believ*able'],
  ['<p><span>Oh!</span><a href="/x">x</a></p>', 'Oh\\![x](/x)'],
  ['<p>Oh!<u><a href="/x">x</a></u></p>', 'Oh\\![x](/x)'],
  ['<p>Oh!<code><a href="/x">x</a></code></p>', 'Oh\\![` x `](/x)'],
  ['<p>2) b</p><p>1.</p><h2>C #</h2>', '2\\) b\n\n1\\.\n\n## C \\#'],
  ['<pre><code class="language-a`b">~~~</code></pre>', '```a\n~~~\n```'],
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
