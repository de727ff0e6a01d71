// A table of cases in one test: they share what is set up for them, and all that fail are told at once.
import { expect } from 'vitest';

const NAME_LENGTH_MAX = 120;

/** Checks one row after another, each of which leaves what is shared as it was; fails with the rows that did. */
export const checkRows = async <const Row>(
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
): Promise<void> => {
  const faults: string[] = [];
  for (const row of rows) {
    try {
      await check(row);
    } catch (error) {
      const name = (JSON.stringify(row) ?? '').slice(0, NAME_LENGTH_MAX);
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  expect(faults).toEqual([]);
};
