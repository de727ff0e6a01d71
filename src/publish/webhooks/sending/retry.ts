// When a failed delivery is tried again: ten attempts over about 75 hours, a little jitter added and
// never taken away, a receiver's Retry-After honoured within bounds; and when a webhook is given up.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Wait before each attempt, in milliseconds. */
export const RETRY_WAITS_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR;
/** A webhook whose failures reach further back than this, without a success, is disabled. */
const FAILING_MS_MAX = 5 * 24 * HOUR;

type Failure = {
  /** Attempts made, the failed one included. */
  readonly attempts: number;
  /** Value of the Retry-After header, if there was one. */
  readonly retryAfter: string | null;
  readonly now: number;
  /** 0 to 1. */
  readonly random: number;
};

/** Milliseconds until the next attempt, or null when that was the last. */
export const planRetry = ({ attempts, retryAfter, now, random }: Failure): number | null => {
  const step = RETRY_WAITS_MS[attempts];
  if (step === undefined) return null;
  const asked = Math.min(parseRetryAfter(retryAfter, now) ?? 0, RETRY_AFTER_MS_MAX);
  return Math.max(asked, step) + Math.floor(step * JITTER * random);
};

/** Milliseconds from now that a Retry-After header asks for: seconds or an HTTP date. */
export const parseRetryAfter = (value: string | null, now: number): number | null => {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.max(0, time - now);
};

/** Why a webhook is disabled after a failure with this status, or null. */
export const reasonToDisable = (status: number | null, failingMs: number): string | null => {
  if (status === 410) return 'The receiver answered 410 Gone.';
  if (failingMs > FAILING_MS_MAX) return 'Every delivery of the last five days failed.';
  return null;
};
