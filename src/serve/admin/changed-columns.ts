// What a save really changes: the columns whose new value is given and differs from the stored one. Times are equal when
// they mean the same instant, however they are stored; an empty text is none; and names are read without the spaces around
// them, which other programs may have stored.
import { parseStoredTime, toStoredTime } from '../../base/time.ts';

export const changedColumns = <T extends object>(
  stored: Readonly<Record<string, unknown>>,
  wanted: { readonly [Column in keyof T]?: T[Column] | undefined },
): Partial<T> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([column, value]) => value !== undefined && !isSame(column, stored[column] ?? null, value),
    ),
  ) as Partial<T>;

/**
 * Two saves within one millisecond still differ, so that the second one's client is noticed stale. A client may mean its
 * whole second by a time without a fraction, so none follows in that second.
 */
export const nextUpdate = (before: string | number | null | undefined, nowMs: number): string => {
  const beforeMs = parseStoredTime(before) ?? 0;
  return toStoredTime(Math.max(nowMs, beforeMs + (beforeMs % 1_000 === 0 ? 1_000 : 1)));
};

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
