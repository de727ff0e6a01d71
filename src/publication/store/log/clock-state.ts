// Compares the clock with the latest time that it stamped itself, at an announced build. A clock that is behind that, or
// behind the making of this program, is wrong, or was: until somebody says which, it publishes nothing that is due.
// Dates in rows decide nothing of this.
import { MADE_MS } from '../../../base/clock.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

/** Clocks are set right by steps, and differ between machines; by more than this, one of the two times is wrong. */
const CLOCK_STEP_MS_MAX = 5 * 60_000;

export type ClockState = {
  readonly nowMs: number;
  /** The latest time of an announced build; null before the first. */
  readonly announcedMs: number | null;
  readonly isBehind: boolean;
  /** The present as far as it is known: of a clock that is behind, the time that it is behind of. */
  readonly presentMs: number;
};

export const compareClock = (nowMs: number, announcedMs: number | null): ClockState => {
  const knownMs = Math.max(announcedMs ?? 0, MADE_MS);
  const isBehind = nowMs < knownMs - CLOCK_STEP_MS_MAX;
  return { nowMs, announcedMs, isBehind, presentMs: isBehind ? knownMs : nowMs };
};

export const readClockState = async (from: Queryable, nowMs: number): Promise<ClockState> => {
  const row = await db(from)
    .selectFrom('published_position')
    .select('finished_at')
    .executeTakeFirst();
  return compareClock(nowMs, row?.finished_at ?? null);
};

/** Takes the present for right, and every later time for wrong. */
export const acceptClock = async (tx: Transaction, nowMs: number): Promise<void> => {
  await db(tx).updateTable('published_position').set({ finished_at: nowMs }).execute();
};

/** A pause between two sweeps that is longer may as well be a jump. */
const PAUSE_MS_MAX = 2 * 24 * 3_600_000;

/**
 * Notes a sweep for what is old, and answers for how many milliseconds the clock has gone on without a jump. Nothing is older
 * than that as far as it is known: what a clock that runs ahead has dropped would not come back with the right time.
 */
export const noteSweep = async (tx: Transaction, nowMs: number): Promise<number> => {
  const row = await db(tx)
    .selectFrom('published_position')
    .select(['swept_at', 'steady_since'])
    .executeTakeFirst();
  const pauseMs = nowMs - (row?.swept_at ?? Number.NEGATIVE_INFINITY);
  const hasJumped = pauseMs < -CLOCK_STEP_MS_MAX || pauseMs > PAUSE_MS_MAX;
  const since = hasJumped ? nowMs : (row?.steady_since ?? nowMs);
  const noted = { swept_at: nowMs, steady_since: since };
  await db(tx).updateTable('published_position').set(noted).execute();
  return Math.max(0, nowMs - since);
};
