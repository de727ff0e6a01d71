import { expect, test } from 'vitest';
import { numbersFrom, numbersTo } from '../../../../src/publish/hosts/rules/number-ranges.ts';

const isIn = (pattern: string, number: number): boolean =>
  new RegExp(`^${pattern}$`).test(String(number));

test.each([1, 2, 9, 10, 15, 19, 50, 99, 100, 101, 109, 999, 1_000, 1_990])(
  'numbers from %d, and numbers to it, are those and no other',
  (bound) => {
    const from = numbersFrom(bound);
    const to = numbersTo(bound);
    for (let number = 0; number <= 2_500; number += 1) {
      expect(isIn(from, number), `${number} from ${bound}`).toBe(number >= bound);
      const isUpTo = to !== null && isIn(to, number);
      expect(isUpTo, `${number} to ${bound}`).toBe(number >= 2 && number <= bound);
    }
    expect(isIn(from, 4_294_967_296)).toBe(true);
  },
);
