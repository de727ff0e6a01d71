// Lets only so much be done in one tick of the event loop; the rest follows in the next ticks, in order. Of new
// connections only one is accepted in a tick, so long ticks would delay them.

export type Pace<T> = {
  /** Runs the step for `item` in this tick or in a later one. */
  readonly take: (item: T) => void;
  /** Leaves the next tick to others: a connection was accepted, and there may be more. */
  readonly leaveTick: () => void;
};

/** Of so many ticks that are left to others, one is used all the same. */
const LEFT_TICKS_MAX = 64;

export const createPace = <T>(stepsPerTick: number, step: (item: T) => void): Pace<T> => {
  const waiting: T[] = [];
  let left = stepsPerTick;
  let isScheduled = false;
  let isLeft = false;
  let leftTicks = 0;
  const run = (item: T): void => {
    left -= 1;
    schedule();
    step(item);
  };
  const schedule = (): void => {
    if (!isScheduled) setImmediate(beginTick);
    isScheduled = true;
  };
  const beginTick = (): void => {
    isScheduled = false;
    leftTicks = isLeft ? (leftTicks + 1) % LEFT_TICKS_MAX : 0;
    if (!isLeft) left = stepsPerTick;
    else left = leftTicks === 0 ? 1 : 0;
    isLeft = false;
    if (left < stepsPerTick) schedule();
    for (const item of waiting.splice(0, left)) run(item);
  };
  return {
    take: (item) => {
      if (left > 0 && waiting.length === 0) run(item);
      else waiting.push(item);
    },
    leaveTick: () => {
      isLeft = true;
      schedule();
    },
  };
};
