// What a save really changes: the columns whose new value differs from the stored one. Times are equal
// when they mean the same instant, however they are stored; an empty text is none; and names are read without the spaces
// around them, which other programs may have stored.
import { parseStoredTime } from '../../base/time.ts';

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
  if (textOf(column, a) === textOf(column, b)) return true;
  if (!column.endsWith('_at') || !isTime(a) || !isTime(b)) return false;
  return parseStoredTime(a) === parseStoredTime(b);
};

const textOf = (column: string, value: unknown): unknown => {
  if (value === null) return '';
  const isName = column === 'name' || column === 'title';
  return isName && typeof value === 'string' ? value.trim() : value;
};

const isTime = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
