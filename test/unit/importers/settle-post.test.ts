// The clock's part in the status of a post that is taken from a source.
import { expect, test } from 'vitest';
import { settlePost } from '../../../src/importers/ghost-posts.ts';
import { compareClock } from '../../../src/store/clock-state.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
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
  [
    'nor takes for early what came before its latest build',
    import_,
    BEHIND,
    'published',
    -DAY,
    'published',
  ],
  ['an import does what is later still', import_, BEHIND, 'published', DAY, 'scheduled'],
  [
    'the clock of a source may be ahead by minutes',
    follow,
    RIGHT,
    'published',
    5 * MINUTE,
    'published',
  ],
  ['but not by more', follow, RIGHT, 'published', 5 * MINUTE + 1, 'scheduled'],
  ['while ours is behind, the source is believed', follow, BEHIND, 'published', DAY, 'published'],
  ['a source publishes what is due by itself', follow, RIGHT, 'scheduled', -1, 'scheduled'],
])('%s', (_, options, clock, status, ahead, expected) => {
  const post = { status, published_at: new Date(NOW + ahead).toISOString() };
  expect(settlePost(post, { ...options, clock })).toEqual({ ...post, status: expected });
});

test.each([
  [import_, 'published', 'published'],
  [import_, 'scheduled', 'published'],
  [follow, 'published', 'published'],
  [follow, 'scheduled', 'scheduled'],
])('what was published with the same time stays so: %j %s', (options, status, expected) => {
  const shownAt = NOW + DAY;
  const post = { status, published_at: new Date(shownAt).toISOString() };
  const settled = settlePost(post, { ...options, clock: RIGHT, shownAt });
  expect(settled.status).toBe(expected);
});
