// Waits for what must become true. The limit ends a test that would hang; it is so far beyond the time that
// a slow machine takes that no test fails because of it.
import { vi } from 'vitest';

/** A sabotaged source gets less: a wait that does not end proves nothing about it. */
const limitMs = (): number => Number(process.env.PREPRESS_TEST_WAIT_MS ?? 100_000);

/** The limit was reached. Its cause is why the last try failed; it is no failed assertion itself. */
class WaitLimitError extends Error {
  override readonly name = 'WaitLimitError';
}

/**
 * Tries `check` every few milliseconds until it throws no more; returns what it returns. A text says what is
 * waited for, which the error names; without one it names the source of `check`. A number is the interval.
 */
export const eventually = async <T>(
  check: () => T | Promise<T>,
  ...given: readonly (string | number)[]
): Promise<T> => {
  const interval = given.find((one) => typeof one === 'number') ?? 20;
  const what = given.find((one) => typeof one === 'string') ?? sourceOf(check);
  const timeout = limitMs();
  try {
    return await vi.waitFor(check, { timeout, interval });
  } catch (cause) {
    throw new WaitLimitError(`Waited ${timeout / 1000} s in vain for: ${what}`, { cause });
  }
};

const sourceOf = (check: () => unknown): string => String(check).replace(/\s+/g, ' ').slice(0, 300);
