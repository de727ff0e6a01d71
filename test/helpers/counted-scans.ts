// Adds up the steps of the cursors that scanners make, and holds them to a number in proportion to the text.
import { expect } from 'vitest';
import { TextCursor } from '../../src/base/text/text-cursor.ts';

/** Steps that `scan` takes in all. Cursors are known by their calls: without one a cursor takes no step. */
export const countSteps = (scan: () => unknown): number => {
  const used = new Set<TextCursor>();
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(TextCursor.prototype);
  for (const [name, member] of Object.entries<PropertyDescriptor>(members)) {
    const method: unknown = member.value;
    if (typeof method !== 'function') continue;
    const value = function (this: TextCursor, ...given: unknown[]): unknown {
      used.add(this);
      return method.apply(this, given);
    };
    Object.defineProperty(TextCursor.prototype, name, { ...member, value });
  }
  try {
    scan();
  } finally {
    Object.defineProperties(TextCursor.prototype, members);
  }
  return [...used].reduce((sum, { steps }) => sum + steps, 0);
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
