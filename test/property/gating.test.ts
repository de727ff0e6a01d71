// A stranger never sees more of a body than Ghost shows: words are put between marks in random spellings, and those that
// are shown here are among those that Ghost's rule shows (facts: only exact marks, the first end ends a block).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gateForAnonymous } from '../../src/publication/documents/html/gating.ts';

const MARK = '<!--members-only-->';
const END = '<!--kg-gated-block:end-->';

/** What Ghost 6.65 shows to strangers. */
const ghostShows = (html: string, isPublic: boolean): string => {
  if (isPublic) return withoutBlocks(html);
  const mark = html.indexOf(MARK);
  return mark === -1 ? '' : withoutBlocks(html.slice(0, mark));
};

const BLOCK = new RegExp(`<!--kg-gated-block:begin ([^\\n]+?)\\s*-->([^]*?)${END}`, 'g');

const withoutBlocks = (html: string): string =>
  html.replace(BLOCK, (_, settings: string, content: string) => (isOpen(settings) ? content : ''));

/** The last readable answer counts. */
const isOpen = (settings: string): boolean => {
  let answer = false;
  for (const [, key, value] of settings.matchAll(/\b(\w+):["']?([^"'\s]+)["']?/g))
    if (key === 'nonMember' && (value === 'true' || value === 'false')) answer = value === 'true';
  return answer;
};

const MEMBERS_ONLY = [
  ...[MARK, MARK, '<!-- members-only -->', '<!--MEMBERS-ONLY-->', '<!--membersonly-->'],
  ...['<!--members_only-->', '<!-- Members only below -->', '<!--\nmembers-only\n-->'],
  ...['<!-- members-only', '<script>"<!--members only"</script>', '<!--members-only -->'],
];
const BEGINS = [
  '<!--kg-gated-block:begin ',
  '<!-- kg-gated-block:begin ',
  '<!--kg-gated-block:begin',
].concat('<!--KG-gated-block:begin ', '<!--kg-gated-block: begin\n', '<!--kg-gated-block:begin\t');
const ENDS = [END, END, '<!--kg-gated-block:end -->', '<!-- kg-gated-block:end-->'].concat(
  '<!--KG-GATED-BLOCK:END-->',
  '<!--kg-gated-block:end',
);
const SETTINGS = [
  ...['nonMember:true', 'nonMember:false', 'nonMember: true', 'nonMember:TRUE', "nonMember:'true'"],
  ...['nonMember:"true"', '1nonMember:true', '_nonMember:true', 'x.nonMember:true', 'a:', ':', ','],
  ...['data-nonMember:true', 'memberSegment:""', 'memberSegment:"status:free"', 'a:"b c"', '"'],
  ...[
    'a:"x nonMember:false"',
    "'",
    'x:nonMember:true',
    'nonMember:true,',
    '\n',
    '\u00a0',
    '\u00e9',
  ],
];

const oneOf = (texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const begin = fc
  .tuple(
    oneOf(BEGINS),
    fc.array(oneOf(SETTINGS), { maxLength: 4 }),
    oneOf([' ', '']),
    oneOf(['-->', ' -->', ' -->', '\n-->', '--!>', '']),
  )
  .map(([opening, settings, joint, closing]) => opening + settings.join(joint) + closing);
const piece = fc.oneof(begin, oneOf(ENDS), oneOf(MEMBERS_ONLY), oneOf(['<p>', '-->', '<!--', ' ']));

/** Between the pieces stand words, each of which is seen or not. */
const body = fc.array(piece, { maxLength: 8 }).map((pieces) =>
  pieces
    .flatMap((text, at) => [`W${at}.`, text])
    .concat('W99.')
    .join(''),
);

const wordsOf = (html: string): string[] => html.match(/W\d+\./g) ?? [];

test('a stranger sees no word that Ghost hides', () => {
  fc.assert(
    fc.property(body, fc.boolean(), (html, isPublic) => {
      const shown = wordsOf(gateForAnonymous(html, isPublic ? 'public' : 'paid').html);
      const allowed = new Set(wordsOf(ghostShows(html, isPublic)));
      expect(shown.filter((word) => !allowed.has(word))).toEqual([]);
    }),
    { numRuns: Number(process.env.PREPRESS_TEST_RUNS ?? 20_000) },
  );
});

test('and what is marked as Ghost marks it is shown', () => {
  const html = `<p>a</p><!--kg-gated-block:begin nonMember:true memberSegment:"" -->b${END}${MARK}c`;
  expect(gateForAnonymous(html, 'paid').html).toBe('<p>a</p>b');
});
