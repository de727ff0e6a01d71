// Time as a parameter: everything that asks for the present takes a Clock, so that tests set it.

export type Clock = {
  /** The present as milliseconds since 1970. */
  readonly now: () => number;
};

export const systemClock: Clock = { now: () => Date.now() };
