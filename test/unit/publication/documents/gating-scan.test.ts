// The scanner of gated bodies takes steps that grow with the body alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gateForAnonymous } from '../../../../src/publication/documents/html/gating.ts';
import { countSteps, expectLinear } from '../../../helpers/counted-scans.ts';

const pieces = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 14 }).map((all) => all.join(''));

const comments = pieces(
  ...['<!--', '-->', '<!', '--', '>', 'kg-gated-block', 'KG-Gated-Block', ':', 'begin', 'end'],
  ...[' ', '\n', '\u00a0', '\ufeff', 'beginx', 'text', '<p>', 'nonMember:true', 'nonMember:false'],
  '<!--kg-gated-block:begin nonMember:true -->',
  '<!--kg-gated-block:begin nonMember:false -->',
  '<!--kg-gated-block:end-->',
  ...['<!--members-only-->', 'members', 'only', '-', '_', 'MEMBERS only', '\u017f', '\u212a'],
);

const settings = pieces(
  ...['nonMember', 'nonmember', 'a', ':', ' ', '\t', '"', "'", 'true', 'false', '"true"', "'true'"],
  ...[' nonMember:true ', ' a:"', " b:'", 'nonMember:"true"'],
  ...['nonMember:true', 'nonMember: "true"', '=', '9', '-', '\u00e4', '\u2028', '\n', '<!--', ''],
).map((text) => `a<!--kg-gated-block:begin ${text}-->b<!--kg-gated-block:end-->c`);

const BEGIN = '<!--kg-gated-block:begin ';

test('reads hostile bodies in steps that grow with them', () => {
  const hostile = [
    { start: BEGIN, piece: 'a', end: '-->' },
    { start: BEGIN, piece: 'a ', end: '-->' },
    { start: BEGIN, piece: 'a:', end: '-->' },
    { start: BEGIN, piece: 'a:b ', end: '-->' },
    { start: BEGIN, piece: `a:"b' `, end: '-->' },
    { start: BEGIN, piece: `a:"b" `, end: '-->' },
    { start: BEGIN, piece: ' ', end: '-->' },
    { piece: `${BEGIN}nonMember:true-->` },
    { piece: `${BEGIN}nonMember:true-->x<!--kg-gated-block:end-->` },
    { piece: BEGIN },
    { piece: '<!--kg-gated-block:end-->' },
    { piece: '<!--' },
    { piece: '<!-- ' },
    { start: '<!--', piece: ' ' },
    { piece: '<!--members' },
    { start: '<!--members', piece: '-' },
    { piece: '<!--kg-gated-block : ' },
    { piece: '<' },
  ];
  expectLinear(hostile, (html) => gateForAnonymous(html, 'public'));
  expectLinear(hostile, (html) => gateForAnonymous(`${html}<!--members-only-->`, 'members'));
});

test('reads generated bodies in steps that grow with them', () => {
  fc.assert(
    fc.property(fc.oneof(comments, settings), fc.integer({ min: 1, max: 400 }), (part, times) => {
      const html = part.repeat(times);
      const steps = countSteps(() => gateForAnonymous(html, 'public'));
      expect(steps).toBeLessThanOrEqual(20 * html.length + 20);
    }),
    { numRuns: 300 },
  );
});
