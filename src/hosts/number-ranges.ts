// Ranges of whole numbers as regular expressions of their digits, without leading zeros.

/** Numbers of at least `min`, which is 1 or more. */
export const numbersFrom = (min: number): string => {
  const digits = String(min);
  const larger = [...digits].flatMap((digit, at) =>
    digit === '9'
      ? []
      : [`${digits.slice(0, at)}${digitsFrom(Number(digit) + 1)}${any(digits.length - at - 1)}`],
  );
  return alternatives([`[1-9][0-9]{${digits.length},}`, ...larger, digits]);
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

const digitsFrom = (digit: number): string => `[${digit}-9]`;

const any = (count: number): string => (count === 0 ? '' : `[0-9]{${count}}`);

const alternatives = (patterns: readonly string[]): string => `(?:${patterns.join('|')})`;
