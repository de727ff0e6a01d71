// Reads changed documents back through the public site until their bytes are the manifest's, so that a
// webhook is not sent while a cache still gives the old ones. Deliveries are queued with `heldUntil`
// first; when this ends, `openGate` lets them go. If it never ends, the hold lapses by itself.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadHttpClient } from '../../base/net/http-client.ts';

const SAMPLES_MAX = 20;
export const READBACK_MS_MAX = 10 * 60_000;
const POLL_MS = 1_000;
const REQUEST_TIMEOUT_MS = 15_000;

export type Sample = {
  /** Path of the document on the public site, with its slashes. */
  readonly path: string;
  /** In hex; null when the document must be gone (404). */
  readonly sha256: string | null;
};

export type ReadBackOptions = {
  /** The setting `readback`: address of the public site. */
  readonly url: string;
  readonly changed: readonly Sample[];
  /**
   * What a document should be by now, when a later generation has replaced it since; null: gone. Its
   * bytes count as the changed ones: the public site has passed them.
   */
  readonly expectNow?: (path: string) => string | null;
  /** Told the first time that the site gives no answer, or one that tells nothing of the document, such as 503. */
  readonly onSilent?: (cause: unknown) => void;
  readonly limitMs?: number;
  readonly pollMs?: number;
  /** Ends the reading early: the program is closing. */
  readonly signal?: AbortSignal;
};

export type ReadBackReport = {
  readonly isDone: boolean;
  /** Paths that did not show their new bytes in time. */
  readonly missing: readonly string[];
};

/** Polls until every sampled document is as it should be, at most `limitMs`. Never throws. */
export const readBack = async (options: ReadBackOptions): Promise<ReadBackReport> => {
  const { changed, limitMs = READBACK_MS_MAX, pollMs = POLL_MS, signal } = options;
  const deadline = performance.now() + limitMs;
  let missing = pickSamples(changed);
  let isToldSilent = false;
  const onSilent = (cause: unknown): void => {
    if (!isToldSilent) options.onSilent?.(cause);
    isToldSilent = true;
  };
  while (!signal?.aborted) {
    const checks = await Promise.all(
      missing.map(async (sample) => ({
        sample,
        isThere: await check(sample, { ...options, onSilent }),
      })),
    );
    missing = checks.filter(({ isThere }) => !isThere).map(({ sample }) => sample);
    if (missing.length === 0 || performance.now() + pollMs > deadline) break;
    await sleep(pollMs, undefined, signal && { signal }).catch(() => {});
  }
  return { isDone: missing.length === 0, missing: missing.map(({ path }) => path) };
};

/** At most SAMPLES_MAX, spread evenly over all, the first and the last among them. */
export const pickSamples = <T>(changed: readonly T[]): T[] => {
  if (changed.length <= SAMPLES_MAX) return [...changed];
  const last = changed.length - 1;
  const picked = Array.from({ length: SAMPLES_MAX }, (_, index) =>
    Math.round((index * last) / (SAMPLES_MAX - 1)),
  );
  return changed.filter((_, at) => picked.includes(at));
};

const check = async (
  { path, sha256 }: Sample,
  { url, expectNow = () => sha256, onSilent }: ReadBackOptions,
): Promise<boolean> => {
  try {
    const { default: undici } = await loadHttpClient();
    const answer = await undici.request(`${url.replace(/\/$/, '')}${path}`, {
      headers: { 'cache-control': 'no-cache', 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const hash = createHash('sha256');
    for await (const chunk of answer.body) hash.update(chunk as Uint8Array);
    const wanted = [sha256, expectNow(path)];
    const { statusCode } = answer;
    if (statusCode === 404 || statusCode === 410) return wanted.includes(null);
    if (statusCode === 200) return wanted.includes(hash.digest('hex'));
    onSilent?.(new Error(`it answers with status ${statusCode}`));
    return false;
  } catch (cause) {
    onSilent?.(cause);
    return false;
  }
};
