// Bodies pass as bytes: what documents show of them is what the text says, however it is stored.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../src/base/text/stored-text.ts';
import { readByteText, toByteText } from '../../../../src/publication/documents/html/byte-text.ts';
import { createSiteUrlResolver } from '../../../../src/publication/documents/site-url.ts';
import type { PostRow } from '../../../../src/publication/tables/rows.ts';
import { createFragmentRenderer } from './fragments.ts';
import { parseRecord } from './json.ts';
import { createSource, SITE_URL } from './sources.ts';

const PLACEHOLDER = '__GHOST_URL__';

const renderer = createFragmentRenderer({
  siteUrl: SITE_URL,
  timezone: 'UTC',
  outboundLinkTagging: true,
  permalinks: '/{slug}/',
});

const show = (html: PostRow['html'], changes: Partial<PostRow> = {}) =>
  parseRecord(renderer.post(createSource({ ...changes, html }))[0]);

const PIECES = [
  ...['"', '\\', '\n', '\r', '\t', '\u0000', '\u001f', '\u007f', '\u0085', '\u2028', 'é', '“字”'],
  ...['🚀', '\ufeff', '<p class="a">'],
  `<a href="${PLACEHOLDER}/ä/">`,
  '<a href="/größe/">',
  ' words ',
];
const html = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary' })), { maxLength: 40 })
  .map((pieces) => pieces.join('').replaceAll('<!--', '').toWellFormed())
  .filter((text) => text !== '' && !/href\s*=\s*["']?\s*http/i.test(text));

describe('a body', () => {
  it('is shown as it is, but for the address of the site', () => {
    fc.assert(
      fc.property(html, (text) => {
        const shown = text.replaceAll(PLACEHOLDER, SITE_URL);
        expect(show(text).html).toBe(shown);
        expect(show(Buffer.from(text)).html).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  it('is bytes that are no text: each such byte is shown as U+FFFD', () => {
    const bytes = Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0x61, 0xe2, 0x82, 0x0a]);
    expect(show(bytes).html).toBe('<p>\ufffda\ufffd\n');
  });

  it('may be empty', () => {
    expect(show(Buffer.alloc(0)).html).toBe(null);
    expect(show(null).html).toBe(null);
  });

  it('is gated by what its comments say as text', () => {
    const marker = '<!--\u00a0members-only-->';
    const gated = Buffer.from(`<p>“open”</p>${marker}<p>closed</p><!--members-only-->`);
    const changes = { visibility: 'members', plaintext: null };
    expect(show(gated, changes)).toMatchObject({ html: '<p>“open”</p>', excerpt: '“open”' });
    const hidden = '<!--kg-gated-block:begin nonMember:false -->ä<!--kg-gated-block:end-->';
    expect(show(Buffer.from(`<p>é</p>${hidden}ü`)).html).toBe('<p>é</p>ü');
  });

  it('is read for its words after the address is put in', () => {
    const words = `<p>${PLACEHOLDER} </p>`.repeat(137);
    // "https", "press" and "test" each time.
    expect(show(Buffer.from(words)).reading_time).toBe(1);
    expect(show(Buffer.from(words.replaceAll(PLACEHOLDER, 'word'))).reading_time).toBe(0);
  });
});

describe('byte text', () => {
  it('is text again when it is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readByteText(toByteText(text))).toBe(text.toWellFormed());
      }),
    );
  });

  it('is told from bytes that are none', () => {
    const { body } = createSiteUrlResolver('https://größe.test');
    for (const stored of ['é__GHOST_URL__', Buffer.from('é__GHOST_URL__'), Buffer.from([0xe9])]) {
      const { bytes, text } = body(stored);
      const expected = toText(stored).replaceAll(PLACEHOLDER, 'https://größe.test');
      expect(bytes.toString()).toBe(expected);
      expect(readByteText(text)).toBe(expected);
    }
  });
});
