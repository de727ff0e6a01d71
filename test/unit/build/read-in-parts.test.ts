import { expect, test } from 'vitest';
import { readInParts } from '../../../src/build/read-in-parts.ts';

test('many are read in parts, between which others have their turn', async () => {
  const ids = Array.from({ length: 2_500 }, (_, at) => `${at}`);
  const parts: number[] = [];
  let turns = 0;
  const turnsSeen: number[] = [];
  const count = (): void => {
    turns += 1;
    if (turns < 50) setImmediate(count);
  };
  setImmediate(count);
  const found = await readInParts(new Set(ids), (part) => {
    parts.push(part.length);
    turnsSeen.push(turns);
    return part.map((id) => Number(id) * 2);
  });
  expect(parts).toEqual([1_000, 1_000, 500]);
  expect(found).toEqual(ids.map((id) => Number(id) * 2));
  expect(new Set(turnsSeen).size).toBe(3);
});
