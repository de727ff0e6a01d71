// How closed a record is by its visibility: of two versions of a record, the one that strangers read more of has the
// lower rank. What cannot be understood is closed.
import type { RecordHolder } from './last-good-row.ts';

/** Of what strangers never see. */
export const CLOSED = Number.POSITIVE_INFINITY;

const VISIBILITIES: Readonly<Partial<Record<RecordHolder, readonly unknown[]>>> = {
  posts: ['public', 'members', 'paid', 'tiers'],
  tags: ['public', 'internal'],
};

export const rankVisibility = (entity: RecordHolder, visibility: unknown): number => {
  const rank = VISIBILITIES[entity]?.indexOf(visibility) ?? 0;
  return rank === -1 ? CLOSED : rank;
};
