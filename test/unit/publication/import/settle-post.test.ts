// The clock's part in the status of a post that is taken from a source.
import { expect, test } from 'vitest';
import { settlePost } from '../../../../src/publication/import/intake/ghost-posts.ts';
import { compareClock } from '../../../../src/publication/store/log/clock-state.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const DAY = 24 * 60 * 60_000;
const RIGHT = compareClock(NOW, NOW - DAY);
/** Years behind what it stamped. */
const BEHIND = compareClock(0, NOW);

const import_ = { isEmailOnly: false, isFollowing: false };
const follow = { isEmailOnly: false, isFollowing: true };

test.each([
  ['an import schedules what is published for later', import_, RIGHT, 'published', 1, 'scheduled'],
  ['an import publishes what is due', import_, RIGHT, 'scheduled', -1, 'published'],
  [
    'a clock that is behind publishes nothing that is due',
    import_,
    BEHIND,
    'scheduled',
    -NOW,
    'scheduled',
  ],
  ['nor takes anything for early', import_, BEHIND, 'published', DAY, 'published'],
  ['a source that is followed is believed', follow, RIGHT, 'published', DAY, 'published'],
  ['a source publishes what is due by itself', follow, RIGHT, 'scheduled', -1, 'scheduled'],
])('%s', (_, options, clock, status, ahead, expected) => {
  const post = { status, published_at: new Date(NOW + ahead).toISOString() };
  expect(settlePost(post, { ...options, clock })).toEqual({ ...post, status: expected });
});

test.each([
  [import_, 'published', 0, 'published'],
  [import_, 'scheduled', 0, 'published'],
  [import_, 'published', DAY, 'published'],
  [import_, 'scheduled', DAY, 'scheduled'],
  [follow, 'published', DAY, 'published'],
  [follow, 'scheduled', 0, 'scheduled'],
])('what was published stays so: %j %s, moved by %d ms', (options, status, moved, expected) => {
  const shownAt = NOW + DAY;
  const post = { status, published_at: new Date(shownAt + moved).toISOString() };
  const settled = settlePost(post, { ...options, clock: RIGHT, shownAt });
  expect(settled.status).toBe(expected);
});
