// What a save really changes: the columns whose new value differs from the stored one. Times are equal
// when they mean the same instant, however they are stored.
import { parseStoredTime } from '../base/time.ts';

export const changedColumns = <T extends object>(
  stored: Readonly<Record<string, unknown>>,
  wanted: T,
): Partial<T> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([column, value]) => !isSame(column, stored[column] ?? null, value ?? null),
    ),
  ) as Partial<T>;

const isSame = (column: string, a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (!column.endsWith('_at') || !isTime(a) || !isTime(b)) return false;
  return parseStoredTime(a) === parseStoredTime(b);
};

const isTime = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
