// Html that a client sends becomes a document for editors. What Ghost's converter would lose is an HTML card in it, so that the
// next edit of the document loses nothing, and shows nothing that is for members.
import { describe, expect, test } from 'vitest';
import { gateForAnonymous } from '../../../../src/publication/documents/html/gating.ts';
import { convert as convertWith } from '../../../../src/serve/editor/convert.ts';
import type { FormatAnswer, FormatRequest } from '../../../../src/serve/editor/editor-formats.ts';
import { hideOpaque } from '../../../../src/serve/editor/opaque-html.ts';
import { loadRenderers } from '../../../../src/serve/editor/renderers.ts';
import { skipFormats } from '../../../helpers/format-thread.ts';

const site = { siteUrl: 'https://news.example', uploadUrls: [] };

const convert = (request: Omit<FormatRequest, 'site'>): Promise<FormatAnswer> =>
  convertWith(
    { ...request, site },
    { renderers: loadRenderers(import.meta.url), takeLostError: () => undefined },
  );

const documentOf = async (html: string): Promise<string> => {
  const answer = await convert({ from: 'html', text: html });
  if ('fault' in answer) throw new Error(answer.fault);
  return answer.lexical;
};

/** What a client's html is after an editor saved its document. */
const savedAgain = async (html: string): Promise<string> => {
  const answer = await convert({ from: 'lexical', text: await documentOf(html) });
  if ('fault' in answer) throw new Error(answer.fault);
  return answer.html ?? '';
};

const BEGIN = '<!--kg-gated-block:begin nonMember:false memberSegment:"status:-free" -->';
const END = '<!--kg-gated-block:end-->';
const secret = (inner: string): string => `${BEGIN}${inner}${END}`;

describe.skipIf(skipFormats)('html that becomes a document', () => {
  test.each([
    ['between blocks', `<p>before</p>${secret('<p>SECRET</p>')}<p>after</p>`],
    ['inside a block', `<div><p>a</p>${secret('<p>SECRET</p>')}</div>`],
    ['inside a paragraph', `<p>a ${secret('<b>SECRET</b>')} b</p>`],
    ['across blocks', `<p>a${BEGIN}</p><p>SECRET${END}</p><p>after</p>`],
    ['in an HTML card', `<!--kg-card-begin: html-->x ${secret('SECRET')}<!--kg-card-end: html-->`],
    [
      'around an HTML card',
      secret('\n<!--kg-card-begin: html-->\n<i>SECRET</i>\n<!--kg-card-end: html-->\n'),
    ],
    [
      'that an HTML card begins in',
      `<!--kg-card-begin: html-->x ${BEGIN}SECRET<!--kg-card-end: html--><p>SECRET</p>${END}<p>after</p>`,
    ],
    [
      'that ends in an HTML card',
      `${BEGIN}<p>SECRET</p><!--kg-card-begin: html-->SECRET${END}<i>after</i><!--kg-card-end: html-->`,
    ],
    ['one in another', secret(`<p>a</p>${secret('<p>SECRET</p>')}<p>b SECRET</p>`)],
    ['without an end', `<p>a</p>${BEGIN}<p>SECRET</p>`],
    ['in an unknown element', `<details><summary>S</summary>${secret('SECRET')}</details>`],
    ['beside a mark of ours', `<div data-prepress="1-0"></div>${secret('<p>SECRET</p>')}`],
    ['in the segment of nobody', `${BEGIN.replace('status:-free', '')}<p>SECRET</p>${END}`],
  ])('a block for members stays one: %s', async (_, html) => {
    expect(gateForAnonymous(html, 'public').html).not.toContain('SECRET');
    const again = await savedAgain(html);
    expect(again).toContain('SECRET');
    expect(gateForAnonymous(again, 'public').html).not.toContain('SECRET');
    // What follows a block is shown as before.
    expect(gateForAnonymous(again, 'public').html.includes('after')).toBe(html.includes('after'));
    const twice = await savedAgain(again);
    expect(twice).toContain('SECRET');
    expect(gateForAnonymous(twice, 'public').html).not.toContain('SECRET');
  });

  test.each([
    '<video src="https://e.example/a.mp4" controls></video>',
    '<audio src="https://e.example/a.mp3"></audio>',
    '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>',
    '<object data="https://e.example/a.pdf"></object>',
    '<p><a href="https://e.example/"><img src="https://e.example/a.png"></a></p>',
    '<form action="https://e.example/"><input name="e"><button>Go</button></form>',
    '<details><summary>S</summary><p>text</p></details>',
    '<dl><dt>term</dt><dd>text</dd></dl>',
    '<style>p { color: red }</style>',
    '<p>Press <kbd>Ctrl</kbd> for <abbr title="Hypertext">HTML</abbr>.</p>',
    '<p>A <span class="note">note</span></p>',
    '<p>A <mark>mark</mark>, <del>gone</del>, <small>small</small></p>',
    '<my-element kind="odd">Own</my-element>',
    '<ul><li>One <odd-part></odd-part></li></ul>',
    '<!--kg-card-begin: html-->\ntext <b>x</b> <!-- note --> more\n<!--kg-card-end: html-->',
  ])('%s is kept as it is', async (part) => {
    const again = await savedAgain(`<p>before</p>${part}<p>after</p>`);
    const kept = part.replace(/<!--kg-card-(?:begin|end): html-->/g, '').trim();
    expect(again).toBe(
      `<p>before</p>\n<!--kg-card-begin: html-->\n${kept}\n<!--kg-card-end: html-->\n<p>after</p>`,
    );
  });

  test('a line that no element holds is not cut at an element in it', async () => {
    const line = 'Press <kbd>Ctrl</kbd> now';
    const between = '<b>Press</b> <kbd>Ctrl</kbd> <i>now</i>';
    const broken = 'Press<br><kbd>Ctrl</kbd>';
    for (const html of [line, `${secret('<p>a</p>')}${line}`, between, broken]) {
      const { root } = JSON.parse(await documentOf(html));
      expect(root.children).toMatchObject([{ type: 'html', html }]);
    }
  });

  test.each([
    '<p>a <b>b</b> <span>c</span></p>',
    '<figure class="kg-card kg-image-card"><a href="https://e.example/"><img src="https://e.example/a.png" class="kg-image" alt="" loading="lazy"></a></figure>',
  ])('%s needs no HTML card', async (html) => {
    expect(await documentOf(html)).not.toContain('"type":"html"');
  });

  test('each of many parts has a mark', () => {
    const html = secret('<p>a</p>').repeat(20_000) + '<svg></svg>'.repeat(20_000);
    expect(hideOpaque(html).html.match(/data-prepress=/g)).toHaveLength(40_000);
  });

  test.each([
    ['lexical', '{"root":{"children":[],"type":"root","version":1}}'],
    ['mobiledoc', '{"version":"0.3.1","atoms":[],"cards":[],"markups":[],"sections":[]}'],
  ] as const)('a %s without a block shows nothing', async (from, text) => {
    const answer = await convert({ from, text });
    expect(answer).toMatchObject({ html: null, plaintext: null });
  });
});
