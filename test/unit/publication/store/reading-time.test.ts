// The time of a list: a part of it is kept for one that waits for others, so each has ended when its time is over.
import { expect, test } from 'vitest';
import { boundReading } from '../../../../src/publication/store/sqlite/reading-time.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('a list that waited has a part of its time left, one that waited too long has none, as one that nobody waits for', async () => {
  const { shell } = await createPublication();
  let nowMs = 5_000;
  let isLeft = false;
  boundReading(shell, { clock: () => nowMs, isLeft: () => isLeft });
  const read = shell.prepare('SELECT 1 WHERE within_time(?, 100)').pluck();
  const readAt = (afterMs: number, askedMs: number): unknown => {
    nowMs = 5_000 + afterMs;
    try {
      return read.get(askedMs);
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  const [alone, waited, late, early] = [5_000, 5_000.1, 5_000.2, 4_000];
  expect([0, 75, 76].map((after) => readAt(after, alone))).toEqual([1, 1, 'LIST_TOO_SLOW']);
  expect([75, 100, 101].map((after) => readAt(after, waited))).toEqual([1, 1, 'LIST_TOO_SLOW']);
  expect(readAt(101, late)).toBe('LIST_TOO_SLOW');
  // Asked before the reader was open.
  expect([75, 101].map((after) => readAt(after, early))).toEqual([1, 'LIST_TOO_SLOW']);
  isLeft = true;
  expect(readAt(0, 5_000.3)).toBe('LIST_TOO_SLOW');
});
