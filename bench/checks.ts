// What the bench holds the program to. A check is a number beside the most, or the least, it may be.
export type Check = {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly isLeast: boolean;
  /** Time depends on who else uses the machine; memory, files and bytes do not. */
  readonly kind: 'time' | 'memory' | 'files' | 'bytes';
};

export const atMost = (
  kind: Check['kind'],
  name: string,
  [value, limit]: readonly [number, number],
): Check => ({ kind, name, value, limit, isLeast: false });

export const atLeast = (
  kind: Check['kind'],
  name: string,
  [value, limit]: readonly [number, number],
): Check => ({ kind, name, value, limit, isLeast: true });

/** A value that could not be measured is not met. */
export const isMet = ({ value, limit, isLeast }: Check): boolean =>
  isLeast ? value >= limit : value <= limit;

/** The middle one; of two middle ones the lower. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
