// Lets only so much be done in one turn of the event loop; the rest follows in the next turns, in order. Of new
// connections only one is accepted in a turn, so long turns would keep them waiting.

export type Pace<T> = {
  /** Runs the step for `item` in this turn or in a later one. */
  readonly take: (item: T) => void;
  /** Makes the next turn short: a connection was accepted, and there may be more. */
  readonly shorten: () => void;
};

export const createPace = <T>(stepsPerTurn: number, step: (item: T) => void): Pace<T> => {
  const waiting: T[] = [];
  let left = stepsPerTurn;
  let isScheduled = false;
  let isShort = false;
  const run = (item: T): void => {
    left -= 1;
    schedule();
    step(item);
  };
  const schedule = (): void => {
    if (!isScheduled) setImmediate(beginTurn);
    isScheduled = true;
  };
  const beginTurn = (): void => {
    isScheduled = false;
    left = isShort ? 1 : stepsPerTurn;
    if (isShort) schedule();
    isShort = false;
    for (const item of waiting.splice(0, left)) run(item);
  };
  return {
    take: (item) => {
      if (left > 0 && waiting.length === 0) run(item);
      else waiting.push(item);
    },
    shorten: () => {
      isShort = true;
      schedule();
    },
  };
};
