// What an anonymous reader sees of a gated body (facts section 3), and that every doubt closes it.
import { describe, expect, it } from 'vitest';
import {
  gateForAnonymous,
  readVisibility,
} from '../../../../src/publication/documents/html/gating.ts';

const BEGIN = '<!--kg-gated-block:begin';
const OPEN = `${BEGIN} nonMember:true memberSegment:"" -->`;
const CLOSED = `${BEGIN} nonMember:false memberSegment:"status:free,status:-free" -->`;
const END = '<!--kg-gated-block:end-->';

describe('readVisibility', () => {
  it.each([
    ['public', 'public'],
    ['members', 'members'],
    ['paid', 'paid'],
    ['tiers', 'tiers'],
    ['status:free', 'tiers'],
    ['Public', 'tiers'],
    ['', 'tiers'],
    [null, 'tiers'],
  ])('reads %j as %s', (stored, visibility) => {
    expect(readVisibility(stored)).toBe(visibility);
  });
});

describe('the members-only marker', () => {
  it.each([
    ['<p>a</p><!--members-only--><p>SECRET</p>', '<p>a</p>', 'cut'],
    ['<p>a</p><!--members-only-->SECRET<!--members-only-->SECRET', '<p>a</p>', 'cut'],
    ['<p>SECRET</p><!-- members-only --><p>SECRET</p>', '', 'withheld'],
    ['<p>SECRET</p><!--\n\tMEMBERS-ONLY\n--><p>SECRET</p>', '', 'withheld'],
    ['<p>SECRET</p><!--members-only SECRET', '', 'withheld'],
    ['<p>SECRET</p><!--MEMBERS-ONLY-->', '', 'withheld'],
    ['<p>a</p><!--members-only SECRET<!--members-only-->', '<p>a</p>', 'cut'],
    ['<p>a</p><!-- Members Only -->SECRET<!--members-only-->', '<p>a</p>', 'cut'],
    ['<!--members-only--><p>SECRET</p>', '', 'cut'],
    ['<p>SECRET</p>', '', 'withheld'],
    ['', '', 'withheld'],
    ['<p>SECRET</p><!--members-onlyx-->', '', 'withheld'],
    [`<p>a</p>${CLOSED}SECRET<!--members-only-->SECRET${END}SECRET`, '<p>a</p>', 'cut'],
  ])('cuts %j to %j', (html, shown, state) => {
    for (const visibility of ['members', 'paid', 'tiers'] as const) {
      expect(gateForAnonymous(html, visibility)).toEqual({ html: shown, state });
    }
  });

  it('is nothing special in a public body', () => {
    const html = '<p>a</p><!--members-only--><p>b</p>';
    expect(gateForAnonymous(html, 'public')).toEqual({ html, state: 'whole' });
  });
});

describe('gated blocks', () => {
  it.each([
    ['shown to strangers', `a${OPEN}b${END}c`, 'abc'],
    ['hidden from strangers', `a${CLOSED}SECRET${END}c`, 'ac'],
    ['several', `a${OPEN}b${END}${CLOSED}SECRET${END}c${CLOSED}SECRET${END}d`, 'abcd'],
    ['never ended', `a${CLOSED}SECRET`, 'a'],
    ['shown, never ended', `a${OPEN}SECRET`, 'a'],
    ['never ended after others', `a${OPEN}b${END}c${CLOSED}SECRET`, 'abc'],
    ['ended too often', `a${OPEN}b${END}c${END}d`, 'abcd'],
    ['nested, the outer hidden', `a${CLOSED}SECRET${OPEN}SECRET${END}SECRET${END}d`, 'ad'],
    ['nested, the inner hidden', `a${OPEN}b${CLOSED}SECRET${END}c${END}d`, 'abcd'],
    ['nested, ended once', `a${OPEN}SECRET${CLOSED}SECRET${END}SECRET`, 'a'],
    ['a begin that is not closed', `a${BEGIN} nonMember:true SECRET`, 'a'],
    ['a begin closed by the end', `a${BEGIN} nonMember:true --!>SECRET${END}`, 'a'],
    ['a begin with a space', `a<!-- kg-gated-block:begin nonMember:true -->SECRET${END}c`, 'ac'],
    ['a begin in capitals', `a<!--KG-GATED-BLOCK:BEGIN nonMember:true-->SECRET${END}c`, 'ac'],
    ['an end with a space', `a${CLOSED}SECRET<!--kg-gated-block:end -->SECRET${END}c`, 'ac'],
    ['an end in capitals', `a${OPEN}SECRET<!--KG-Gated-Block:END-->SECRET`, 'a'],
    ['a space before the answer', `a${BEGIN} nonMember: true -->SECRET${END}c`, 'ac'],
    ['a longer key', `a${BEGIN} 1nonMember:true -->SECRET${END}c`, 'ac'],
    ['one in a text', `a${BEGIN} nonMember:true x:"y nonMember:false" -->SECRET${END}c`, 'ac'],
    ['over two lines', `a${BEGIN}\nnonMember:true -->SECRET${END}c`, 'ac'],
    ['no setting', `a${BEGIN} -->SECRET${END}SECRET`, 'a'],
    ['quoted settings', `a${BEGIN} nonMember:"true" x:'y' -->b${END}c`, 'abc'],
    ['a setting inside another', `a${BEGIN} memberSegment:"nonMember:true" -->SECRET${END}`, 'a'],
    ['an open quote', `a${BEGIN} memberSegment:" nonMember:true -->SECRET${END}`, 'a'],
    ['both answers', `a${BEGIN} nonMember:true nonMember:false -->SECRET${END}`, 'a'],
    ['another answer', `a${BEGIN} nonMember:trueish -->SECRET${END}`, 'a'],
  ])('%s', (_, html, shown) => {
    expect(gateForAnonymous(html, 'public')).toEqual({ html: shown, state: 'cut' });
  });

  it('leaves a body without them alone', () => {
    const html = '<!--kg-card-begin: html--><p>kg-gated-block:begin</p><!--kg-card-end: html-->';
    expect(gateForAnonymous(html, 'public')).toEqual({ html, state: 'whole' });
  });
});
