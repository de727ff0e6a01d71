// Compares the clock with the latest time that it stamped itself, at an announced build. A clock that is behind that, or
// behind the making of this program, is wrong, or was: until somebody says which, it publishes nothing that is due.
// Dates in rows decide nothing of this.
import { MADE_MS } from '../base/clock.ts';
import type { Reader, Writer } from './store.ts';

/** Clocks are set right by steps, and differ between machines; by more than this, one of the two times is wrong. */
export const CLOCK_STEP_MS_MAX = 5 * 60_000;

export type ClockState = {
  readonly nowMs: number;
  /** The latest time of an announced build; null before the first. */
  readonly stampedMs: number | null;
  readonly isBehind: boolean;
  /** The present as far as it is known: of a clock that is behind, the time that it is behind of. */
  readonly presentMs: number;
};

export const compareClock = (nowMs: number, stampedMs: number | null): ClockState => {
  const knownMs = Math.max(stampedMs ?? MADE_MS, MADE_MS);
  const isBehind = nowMs < knownMs - CLOCK_STEP_MS_MAX;
  return { nowMs, stampedMs, isBehind, presentMs: isBehind ? knownMs : nowMs };
};

export const readClockState = async (
  reader: Reader | Writer,
  nowMs: number,
): Promise<ClockState> => {
  const row = await reader
    .selectFrom('published_position')
    .select('finished_at')
    .executeTakeFirst();
  return compareClock(nowMs, row?.finished_at ?? null);
};

/** Takes the present for right, and every later time for wrong. */
export const acceptClock = async (writer: Writer, nowMs: number): Promise<void> => {
  await writer.updateTable('published_position').set({ finished_at: nowMs }).execute();
};
