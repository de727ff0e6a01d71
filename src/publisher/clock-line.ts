// What is said of a clock that is behind: in the log, by commands, on the desk, and by the server's health.
import { toIsoTime } from '../base/time.ts';
import { type ClockState, readClockState } from '../store/clock-state.ts';
import type { Store } from '../store/store.ts';

/** Null: nothing is wrong with the clock. */
export const clockLine = ({ isBehind, nowMs, stampedMs }: ClockState): string | null =>
  isBehind
    ? `The clock says ${toIsoTime(nowMs)}, but it said ${toIsoTime(stampedMs)} at an earlier build: scheduled posts are not published. Set the clock, or run "prepress clock accept" if the earlier time was wrong.`
    : null;

/** The same for the present state. */
export const describeClock = async (store: Store, nowMs: number): Promise<string | null> =>
  clockLine(await readClockState(store.reader, nowMs));
