// What is said of a clock that is behind: in the log, by commands, on the desk, and by the server's health.
import { MADE_MS } from '../../base/clock.ts';
import { toIsoTime } from '../../base/time.ts';
import { type ClockState, readClockState } from '../../publication/store/log/clock-state.ts';
import type { Store } from '../../publication/store/store.ts';

/** Null: nothing is wrong with the clock. */
export const clockLine = ({ isBehind, nowMs, announcedMs }: ClockState): string | null => {
  if (!isBehind) return null;
  const now = `The clock says ${toIsoTime(nowMs)}`;
  return nowMs < MADE_MS
    ? `${now}, a time before this version of Prepress was made: scheduled posts are not published. Set the clock.`
    : `${now}, but it said ${toIsoTime(announcedMs)} at an earlier build: scheduled posts are not published. Set the clock, or run "prepress clock accept" if the earlier time was wrong.`;
};

/** The same for the present state. */
export const describeClock = async (store: Store, nowMs: number): Promise<string | null> =>
  clockLine(await readClockState(store, nowMs));
