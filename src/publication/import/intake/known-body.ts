// A body that a source shows as strangers see it, beside the one that the publication has: what only members may read is
// kept, and what everyone may read becomes as the source shows it.
import { toText } from '../../../base/text/stored-text.ts';
import { toByteText } from '../../documents/html/byte-text.ts';
import { findMembersOnly, gateForAnonymous, readVisibility } from '../../documents/html/gating.ts';
import { createOutboundLinkTagger } from '../../documents/html/outbound-links.ts';
import { LEFT_OUT, PAYWALL, WITHHELD } from '../../sources/source.ts';
import type { Row } from '../../store/import/import-rows.ts';

type Known = {
  readonly row: Row;
  /** Blocks for members in an open post went, for nobody knows where they would stand now. */
  readonly lostBlocks: boolean;
};

/**
 * `row` is of the source: a body that is not for everyone ends with the paywall, or is withheld; one for everyone ends with
 * an empty block where blocks for members were left out.
 */
export const withKnownBody = (before: Row, row: Row): Known => {
  const stored = toText(before.html);
  const visibility = readVisibility(row.visibility ?? before.visibility);
  const given = toText(row.html);
  const isOpen = visibility === 'public';
  if (stored === given || isBare(stored)) return { row, lostBlocks: false };
  const gate = gateOf(given);
  const shown = given.slice(0, given.length - gate.length);
  const seen = gateForAnonymous(stored, visibility);
  const isNewlyCut = gate === LEFT_OUT && seen.state === 'whole';
  if (looksSame(seen.html, shown) && !isNewlyCut) {
    return { row: withoutBody(row), lostBlocks: false };
  }
  const html = isOpen ? (row.html ?? null) : behind(shown, stored);
  // Both were made from the body that is replaced.
  const changed = { ...row, html, lexical: null, mobiledoc: null };
  return {
    row: isOpen ? changed : { ...changed, plaintext: null },
    lostBlocks: isOpen && seen.state === 'cut',
  };
};

/** What a source put behind a body; none where it put nothing. */
const gateOf = (body: string): string =>
  [PAYWALL, WITHHELD, LEFT_OUT].find((gate) => body.endsWith(gate)) ?? '';

/** Nothing more is known than what was shown. */
const isBare = (stored: string): boolean => stored === '' || gateOf(stored) !== '';

const tag = createOutboundLinkTagger('https://site.invalid');

/** Tagging of links writes some of them in another way, which nobody can tell from what is shown. */
const looksSame = (a: string, b: string): boolean =>
  a === b || tag(toByteText(a)) === tag(toByteText(b));

const withoutBody = ({ html: _html, plaintext: _plaintext, ...row }: Row): Row => row;

/** `shown`, and behind the paywall what was not for everyone before. */
const behind = (shown: string, stored: string): string => {
  const marker = findMembersOnly(stored);
  if (shown === '') return PAYWALL + stored;
  if (marker !== -1) return shown + stored.slice(marker);
  return shown + PAYWALL + (stored.startsWith(shown) ? stored.slice(shown.length) : stored);
};
