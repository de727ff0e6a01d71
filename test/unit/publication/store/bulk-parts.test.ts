// How long the rows of a part may take, by how long the part before took with its commit.
import { expect, test } from 'vitest';
import { BULK_PART_MS, writeParts } from '../../../../src/publication/store/bulk-parts.ts';

test('a part has the less time for its rows, the longer the part before took as a whole', async () => {
  const took = [12, 200, 100, 300, 50];
  const given: number[] = [];
  let ms = 0;
  const write = async (partMs: number): Promise<boolean> => {
    given.push(Math.round(partMs));
    ms += took[given.length - 1] ?? 0;
    return given.length < took.length;
  };
  await writeParts(write, () => ms);
  expect(given).toEqual([10, BULK_PART_MS, BULK_PART_MS / 2, BULK_PART_MS / 2, 8]);
});
