// Time as a parameter: everything that asks for the present takes a Clock, so that tests set it.

export type Clock = {
  /** The present as milliseconds since 1970. */
  readonly now: () => number;
};

export const systemClock: Clock = { now: () => Date.now() };

/** A time before this program was made: a clock that says an earlier one is wrong, as a machine's before it asked for the time. */
export const MADE_MS = Date.UTC(2026, 0, 1);
