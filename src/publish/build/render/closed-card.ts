// A card, a record without html, of a body that was cut: in Ghost's shape it shows neither excerpt nor plain text, since
// Ghost finds the paywall in html alone. A static file has html, and what stands before the paywall.

import { VISIBILITIES, VISIBILITY_SHIFT } from '../../../content/tree/tree.ts';
import type { PostFacts } from '../../../publication/documents/fragment.ts';

/** The same card where nothing is to be left out. */
export const closedCard = (card: Buffer, { isGated, flags, tiers }: PostFacts): Buffer => {
  const isPublic = ((flags >> VISIBILITY_SHIFT) & 3) === VISIBILITIES.indexOf('public');
  if (!isGated || isPublic || tiers === undefined) return card;
  // Rendered a moment ago.
  const record = JSON.parse(card.toString()) as Record<string, unknown>;
  const shown = ['excerpt', 'plaintext'].filter((name) => name in record);
  for (const name of shown) record[name] = '';
  return Buffer.from(JSON.stringify(record));
};
