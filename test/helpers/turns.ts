// Turns that the event loop has beside a piece of work: what others would be answered in.
import { setImmediate as turn } from 'node:timers/promises';

export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    turns += 1;
    await turn();
  }
  await done;
  return turns;
};
