import { expect, test } from 'vitest';
import { readInParts } from '../../../src/builder/read-in-parts.ts';

test('many are read in parts, a tick of the event loop each', async () => {
  const ids = Array.from({ length: 2_500 }, (_, at) => `${at}`);
  const parts: number[] = [];
  let ticks = 0;
  const ticksSeen: number[] = [];
  const count = (): void => {
    ticks += 1;
    if (ticks < 50) setImmediate(count);
  };
  setImmediate(count);
  const found = await readInParts(new Set(ids), (part) => {
    parts.push(part.length);
    ticksSeen.push(ticks);
    return part.map((id) => Number(id) * 2);
  });
  expect(parts).toEqual([1_000, 1_000, 500]);
  expect(found).toEqual(ids.map((id) => Number(id) * 2));
  expect(new Set(ticksSeen).size).toBe(3);
});
