// Adds up the steps of the cursors that scanners make, and holds them to a number in proportion to the text.
// A test that uses it replaces the cursor: `vi.mock('.../base/text-cursor.ts', recordCursors)`.
import { expect } from 'vitest';
import type { TextCursor } from '../../src/base/text-cursor.ts';

type CursorModule = { readonly TextCursor: typeof TextCursor };

const made: TextCursor[] = [];

export const recordCursors = async (load: () => Promise<unknown>): Promise<CursorModule> => {
  const original = (await load()) as CursorModule;
  class RecordedCursor extends original.TextCursor {
    constructor(text: string) {
      super(text);
      made.push(this);
    }
  }
  return { ...original, TextCursor: RecordedCursor };
};

/** Steps that `scan` takes in all. */
export const countSteps = (scan: () => unknown): number => {
  made.length = 0;
  scan();
  const steps = made.reduce((sum, cursor) => sum + cursor.steps, 0);
  made.length = 0;
  return steps;
};

/** Twenty, because a scanner may look at a text more than once, and compares it with words. */
export const STEPS_PER_UNIT_MAX = 20;
const LENGTHS = [1_000, 8_000];

export type Hostile = {
  readonly start?: string;
  readonly piece: string;
  readonly end?: string;
};

/** Of each text at growing lengths, steps stay in proportion. */
export const expectLinear = (
  texts: readonly Hostile[],
  scan: (text: string) => unknown,
  stepsPerUnitMax = STEPS_PER_UNIT_MAX,
): void => {
  for (const { start = '', piece, end = '' } of texts) {
    for (const length of LENGTHS) {
      const text = start + piece.repeat(Math.ceil(length / piece.length)) + end;
      const steps = countSteps(() => scan(text));
      const name = `${JSON.stringify(start + piece)} ${text.length}`;
      expect(steps, `${name}: no cursor was used`).toBeGreaterThan(0);
      expect(steps, name).toBeLessThanOrEqual(text.length * stepsPerUnitMax);
    }
  }
};
