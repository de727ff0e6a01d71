// Lets only so much be done in one turn of the event loop; the rest follows in the next turns, in order. Of new
// connections only one is accepted in a turn, so long turns would keep them waiting.

export type Pace<T> = {
  /** Runs the step for `item` in this turn or in a later one. */
  readonly take: (item: T) => void;
  /** Leaves the next turn to others: a connection was accepted, and there may be more. */
  readonly leaveTurn: () => void;
};

/** Of so many turns that are left to others, one is used all the same. */
const LEFT_TURNS_MAX = 64;

export const createPace = <T>(stepsPerTurn: number, step: (item: T) => void): Pace<T> => {
  const waiting: T[] = [];
  let left = stepsPerTurn;
  let isScheduled = false;
  let isLeft = false;
  let leftTurns = 0;
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
    leftTurns = isLeft ? (leftTurns + 1) % LEFT_TURNS_MAX : 0;
    if (!isLeft) left = stepsPerTurn;
    else left = leftTurns === 0 ? 1 : 0;
    isLeft = false;
    if (left < stepsPerTurn) schedule();
    for (const item of waiting.splice(0, left)) run(item);
  };
  return {
    take: (item) => {
      if (left > 0 && waiting.length === 0) run(item);
      else waiting.push(item);
    },
    leaveTurn: () => {
      isLeft = true;
      schedule();
    },
  };
};
