// The scanner of gated bodies finds what the expressions found that define it, in steps that grow with the
// body alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gateForAnonymous, type Visibility } from '../../../src/documents/gating.ts';
import { countSteps, expectLinear } from '../../helpers/counted-scans.ts';

const MEMBERS_ONLY = /<!--\s*members[-_\s]*only(?![a-z0-9])/i;
const BLOCK_COMMENT = /<!--\s*kg-gated-block\s*:\s*(?:(begin)(?![a-z0-9])|end\s*-->)/gi;
const BLOCK_SETTING = /([A-Za-z]+)\s*:\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;

/** What the gate lets through, as it is defined, with expressions that are too slow for hostile bodies. */
const defined = (html: string, visibility: Visibility): string => {
  if (visibility === 'public') return definedBlocks(html);
  const marker = html.search(MEMBERS_ONLY);
  return marker === -1 ? '' : definedBlocks(html.slice(0, marker));
};

const definedBlocks = (html: string): string => {
  const comments = [...html.matchAll(BLOCK_COMMENT)];
  const openBlocks: boolean[] = [];
  let shown = '';
  let shownBeforeBlocks = 0;
  let position = 0;
  const take = (end: number): void => {
    if (openBlocks.every((isShown) => isShown)) shown += html.slice(position, end);
  };
  for (const comment of comments) {
    if (comment.index < position) continue;
    take(comment.index);
    if (comment[1] === undefined) {
      position = comment.index + comment[0].length;
      openBlocks.pop();
      continue;
    }
    if (openBlocks.length === 0) shownBeforeBlocks = shown.length;
    const settingsStart = comment.index + comment[0].length;
    const end = html.indexOf('-->', settingsStart);
    openBlocks.push(definedIsShown(end === -1 ? '' : html.slice(settingsStart, end)));
    position = end === -1 ? html.length : end + '-->'.length;
  }
  if (openBlocks.length > 0) return shown.slice(0, shownBeforeBlocks);
  take(html.length);
  return shown;
};

const definedIsShown = (settings: string): boolean => {
  if (/[\r\n]|<!--/.test(settings)) return false;
  if (/["']/.test(settings.replace(BLOCK_SETTING, ''))) return false;
  const values: string[] = [];
  for (const [, key, double, single, bare] of settings.matchAll(BLOCK_SETTING)) {
    if (key === 'nonMember') values.push(double ?? single ?? bare ?? '');
  }
  return values.length > 0 && values.every((value) => value === 'true');
};

const visibility = fc.constantFrom<Visibility>('public', 'members');
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

test('shows what the definition shows', () => {
  fc.assert(
    fc.property(fc.oneof(comments, settings), visibility, (html, seen) => {
      expect(gateForAnonymous(html, seen).html).toBe(defined(html, seen));
    }),
    { numRuns: 10_000 },
  );
});

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
