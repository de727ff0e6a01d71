// Waits for what must become true. The limit ends a test that would hang; it is so far beyond the time that
// a slow machine takes that no test fails because of it.
import { vi } from 'vitest';

/** Sabotaged programs get less: there a wait without an end is what the test looks for. */
const limitMs = (): number => Number(process.env.PREPRESS_TEST_WAIT_MS ?? 100_000);

/** Tries `check` every few milliseconds until it throws no more; returns what it returns. */
export const eventually = <T>(check: () => T | Promise<T>, intervalMs = 20): Promise<T> =>
  vi.waitFor(check, { timeout: limitMs(), interval: intervalMs });
