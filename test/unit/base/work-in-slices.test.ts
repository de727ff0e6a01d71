import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { workInSlices } from '../../../src/base/work-in-slices.ts';

test('the event loop has a tick after each slice, and none for few items', async () => {
  const seen: number[] = [];
  const ticks: number[] = [];
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      ticks.push(seen.length);
      await tick();
    }
  })();
  await workInSlices([1, 2, 3, 4, 5], (item) => seen.push(item), 2);
  isDone = true;
  await watch;
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(ticks).toContain(2);
  expect(ticks).toContain(4);
  let hadTick = false;
  setImmediate(() => {
    hadTick = true;
  });
  await workInSlices([1], (item) => seen.push(item), 2);
  expect(hadTick).toBe(false);
});

test('what the work throws ends it', async () => {
  const seen: number[] = [];
  const work = (item: number): void => {
    if (item === 2) throw new Error('No further.');
    seen.push(item);
  };
  await expect(workInSlices([1, 2, 3], work)).rejects.toThrow('No further.');
  expect(seen).toEqual([1]);
});
