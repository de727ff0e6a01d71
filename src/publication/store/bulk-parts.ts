// The parts of work on many rows: each is one transaction, which ends after a short time, so that others write between them.
import { setTimeout as sleep } from 'node:timers/promises';

/** A part ends once it took so long, and then the database is free for longer than another writer sleeps between two attempts. */
export const BULK_PART_MS = 50;
const BULK_PAUSE_MS = 60;

/**
 * Longer than another program sleeps between two attempts to write. Where writing took long because the machine is busy,
 * others sleep longer, too.
 */
export const letOthersWrite = (tookMs = 0): Promise<void> => sleep(Math.max(BULK_PAUSE_MS, tookMs));

type Part = {
  /** When its transaction began. */
  readonly startedMs: number;
  readonly now?: () => number;
};

/** Of a chunk. */
const FIRST_ROWS = 5;
const ROWS_MAX = 20;

/** The first rows, until the time of a part is over, each chunk as large as the time that is left seems to allow. */
export function* chunksOfPart<T>(
  rows: readonly T[],
  { startedMs, now = () => performance.now() }: Part,
): Generator<readonly T[]> {
  let lastMs = now();
  // Half of the time is for rows, however long it took to begin.
  const endsAt = Math.max(startedMs + BULK_PART_MS, lastMs + BULK_PART_MS / 2);
  let size = FIRST_ROWS;
  for (let at = 0; at < rows.length && (at === 0 || lastMs < endsAt); ) {
    const chunk = rows.slice(at, at + size);
    yield chunk;
    at += chunk.length;
    const nowMs = now();
    const fitting = Math.floor(((endsAt - nowMs) * chunk.length) / Math.max(nowMs - lastMs, 0.01));
    size = Math.min(Math.max(fitting, 1), ROWS_MAX);
    lastMs = nowMs;
  }
}
