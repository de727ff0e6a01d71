// No fragment of a gated post may hold a word of what is gated, whatever the body around it looks
// like: secrets are planted behind the gate and looked for in the bytes of every variant.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PostRow } from '../../../../src/publication/tables/rows.ts';
import { createFragmentRenderer } from './fragments.ts';
import { createSource, SITE_URL } from './sources.ts';

const renderer = createFragmentRenderer({
  siteUrl: SITE_URL,
  timezone: 'Etc/UTC',
  outboundLinkTagging: true,
  permalinks: '/{slug}/',
});

const SECRET = 'XYZZY';
const END = '<!--kg-gated-block:end-->';

const open = fc.constantFrom(
  ...['', '<p>open</p>', '<p>open <a href="https://e.test/">link</a></p>', '<!-- a comment -->'],
  ...['<div title="a > b">', '<!--kg-card-begin: html-->', '\n'],
);
const secret = fc.constantFrom(
  `<p>${SECRET}</p>`,
  `<a href="https://e.test/?${SECRET}">x</a>`,
  `<img alt="${SECRET}">`,
  `<!-- ${SECRET} -->`,
  `${SECRET}<!--members-only-->${SECRET}`,
);
const marker = fc.constantFrom(
  '<!--members-only-->',
  '<!-- members-only -->',
  '<!--Members-Only-->',
  '<!--\nMEMBERS-ONLY\n-->',
);
const hiddenBegin = fc.constantFrom(
  '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free,status:-free" -->',
  '<!--kg-gated-block:begin memberSegment:"status:-free" nonMember:false -->',
  '<!-- kg-gated-block:begin nonMember:"false" -->',
  '<!--kg-gated-block:begin\nnonMember:true -->',
  '<!--kg-gated-block:begin memberSegment:"nonMember:true" -->',
  '<!--kg-gated-block:begin-->',
);
const shownBlock = `<!--kg-gated-block:begin nonMember:true memberSegment:"" -->shown${END}`;

const expectNoSecret = (changes: Partial<PostRow>): void => {
  const plaintext = `${SECRET} and the whole of the text, as the editor stores it`;
  for (const type of ['post', 'page']) {
    for (const fragment of renderer.post(createSource({ plaintext, type, ...changes }))) {
      expect(fragment.includes(SECRET), fragment.toString()).toBe(false);
    }
  }
};

describe('a gated post', () => {
  const closed = fc.constantFrom('members', 'paid', 'tiers', 'status:-free', 'PUBLIC', '');

  it('shows nothing behind the marker', () => {
    const bodies = fc.tuple(fc.array(open), marker, fc.array(fc.oneof(open, secret)));
    fc.assert(
      fc.property(bodies, closed, ([before, gate, after], visibility) => {
        expectNoSecret({ html: before.join('') + gate + after.join(''), visibility });
      }),
    );
  });

  it('shows nothing at all without a marker', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(open, secret)), closed, (pieces, visibility) => {
        const html = pieces.join('').replaceAll('<!--members-only-->', '');
        expectNoSecret({ html, visibility });
      }),
    );
  });
});

describe('a gated block', () => {
  const hidden = fc
    .tuple(hiddenBegin, fc.array(fc.oneof(open, secret), { minLength: 1 }))
    .map(([begin, pieces]) => begin + pieces.join('') + END);
  const neverEnded = fc.tuple(hiddenBegin, secret).map((pieces) => pieces.join(''));

  it('shows nothing to strangers, in public posts and before the marker of others', () => {
    const visibility = fc.constantFrom('public', 'members');
    const pieces = fc.array(fc.oneof(open, hidden, fc.constant(shownBlock)), { maxLength: 8 });
    fc.assert(
      fc.property(hidden, pieces, fc.option(neverEnded), visibility, (first, rest, last, value) => {
        const html = `<p>open</p>${first}${rest.join('')}${last ?? ''}<!--members-only-->`;
        expectNoSecret({ html, visibility: value });
      }),
    );
  });
});
