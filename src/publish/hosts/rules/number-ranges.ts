// Ranges of whole numbers as regular expressions of their digits, without leading zeros.
import { DIGIT } from './spellings.ts';

/** Numbers of at least `min`, which is 1 or more. Their digits may be encoded. */
export const numbersFrom = (min: number): string => {
  const digits = String(min);
  const encodable = (text: string): string => text.replace(/[0-9]/g, (digit) => DIGIT + digit);
  const rest = (count: string): string => `(?:${DIGIT}[0-9]){${count}}`;
  const larger = [...digits].flatMap((digit, at) =>
    digit === '9'
      ? []
      : [
          `${encodable(digits.slice(0, at))}${DIGIT}[${Number(digit) + 1}-9]${rest(String(digits.length - at - 1))}`,
        ],
  );
  const longer = `${DIGIT}[1-9]${rest(`${digits.length},`)}`;
  return alternatives([longer, ...larger, encodable(digits)]);
};

/** Numbers from 2 up to `max`; null where there are none. */
export const numbersTo = (max: number): string | null => {
  if (max < 2) return null;
  const digits = String(max);
  const shorter = Array.from({ length: digits.length - 1 }, (_, at) =>
    at === 0 ? '[2-9]' : `[1-9]${any(at)}`,
  );
  const smaller = [...digits].flatMap((digit, at) => {
    const from = at > 0 ? 0 : digits.length === 1 ? 2 : 1;
    const rest = any(digits.length - at - 1);
    return Number(digit) > from
      ? [`${digits.slice(0, at)}[${from}-${Number(digit) - 1}]${rest}`]
      : [];
  });
  return alternatives([...shorter, ...smaller, digits]);
};

const any = (count: number): string => (count === 0 ? '' : `[0-9]{${count}}`);

const alternatives = (patterns: readonly string[]): string => `(?:${patterns.join('|')})`;
