// The parts of work on many rows: each is one transaction, which ends after a short time, so that others write between them.
import { setTimeout as sleep } from 'node:timers/promises';

/** A part takes no more once this is over, and then the database is free for longer than another writer sleeps between two attempts. */
export const BULK_PART_MS = 50;
/** With its commit, which may be elsewhere, a part takes about so long at most. */
const WHOLE_PART_MS = 100;
const PART_MS_MIN = 2;
/** Nobody knows yet how long a commit takes. */
const FIRST_PART_MS = 10;
const BULK_PAUSE_MS = 60;

/**
 * Longer than another program sleeps between two attempts to write. Where writing took long because the machine is busy,
 * others sleep longer, too.
 */
export const letOthersWrite = (tookMs = 0): Promise<void> => sleep(Math.max(BULK_PAUSE_MS, tookMs));

type Now = () => number;

/**
 * Writes one part after the other, until `write` says that no more is left. It takes how long its rows may take: the less,
 * the longer the part before took with all that follows the rows.
 */
export const writeParts = async (
  write: (partMs: number) => Promise<boolean>,
  now: Now = () => performance.now(),
): Promise<void> => {
  for (let partMs = FIRST_PART_MS; ; ) {
    const startedMs = now();
    if (!(await write(partMs))) return;
    const tookMs = now() - startedMs;
    const fittingMs = (partMs * WHOLE_PART_MS) / Math.max(tookMs, 1);
    partMs = Math.min(Math.max(fittingMs, PART_MS_MIN), BULK_PART_MS);
    await letOthersWrite(tookMs);
  }
};

type Part = {
  /** When its transaction began. */
  readonly startedMs: number;
  readonly partMs: number;
  readonly now?: Now;
};

/** Of a chunk. */
const FIRST_ROWS = 5;
const ROWS_MAX = 20;

/** The first rows, until the time of a part is over, each chunk as large as the time that is left seems to allow. */
export function* chunksOfPart<T>(
  rows: readonly T[],
  { startedMs, partMs, now = () => performance.now() }: Part,
): Generator<readonly T[]> {
  let lastMs = now();
  // Half of the time is for rows, however long it took to begin.
  const endsAt = Math.max(startedMs + partMs, lastMs + partMs / 2);
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
