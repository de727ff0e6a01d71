// Ticks that the event loop has beside a piece of work: what others would be answered in.
import { setImmediate as tick } from 'node:timers/promises';

export const ticksDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let ticks = 0;
  while (!isDone) {
    ticks += 1;
    await tick();
  }
  await done;
  return ticks;
};
