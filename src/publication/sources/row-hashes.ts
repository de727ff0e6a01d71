// The hash of a row: of the columns that were read of it. Where bodies were left out, a row whose
// time of change is too young to tell has another hash each time.
import { hash } from 'node:crypto';
import { parseStoredTime } from '../../base/time.ts';
import type { RawRow, RowHash } from './source.ts';

/** Ghost stores whole seconds, by a clock that may differ from that of the database. */
const YOUNG_MS = 60_000;

/** Columns that are long, and change only together with `updated_at`. */
export const BODIES: Readonly<Record<string, readonly string[]>> = {
  posts: ['html', 'plaintext', 'lexical', 'mobiledoc'],
};

type RowHashOptions = {
  /** Null where the whole row was read. */
  readonly nowMs: number | null;
};

export const rowHashOf = (row: RawRow, { nowMs }: RowHashOptions): RowHash => {
  const digest = hash('sha1', JSON.stringify(row), 'base64');
  const isYoung = nowMs !== null && !isSettled(row.updated_at, nowMs);
  return { id: String(row.id), hash: isYoung ? `${digest}~${nowMs}` : digest };
};

const isSettled = (updatedAt: unknown, nowMs: number): boolean => {
  if (typeof updatedAt !== 'string' && typeof updatedAt !== 'number') return false;
  const timeMs = parseStoredTime(updatedAt);
  return timeMs !== null && Math.abs(nowMs - timeMs) > YOUNG_MS;
};
