// Asks a content interface: one request at a time, waiting and asking again where that may help, and telling every
// other fault in a sentence. Follows no redirect, so the key goes to nobody else.
import { setTimeout as sleepFor } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import type { HttpAnswer, HttpClient } from '../../../base/net/http-client.ts';
import { createHttpClient, HttpFault } from '../../../base/net/http-client.ts';
import type { GhostAddress } from './address.ts';
import { type Fault, faultOfAnswer, faultOfRequest, tooLarge } from './client-faults.ts';

export type ContentAnswer = {
  readonly body: unknown;
  /** As `6.65`; null where the answer does not say. */
  readonly version: string | null;
  /** By the clock of the site, where it tells. */
  readonly nowMs: number;
};

export type ContentClient = {
  /**
   * `path` is a resource, such as `posts`. Throws SOURCE_UNREACHABLE, SOURCE_KEY_REFUSED, SOURCE_NOT_GHOST,
   * SOURCE_TOO_LARGE, SOURCE_BUSY or SOURCE_LOST.
   */
  readonly read: (path: string, query?: Readonly<Record<string, string>>) => Promise<ContentAnswer>;
  readonly close: () => Promise<void>;
};

export type ClientOptions = {
  readonly http?: HttpClient;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly bytesMax?: number;
  /** Without a byte for so long, an answer is given up. */
  readonly idleTimeoutMs?: number;
  /** Nor may all of an answer take longer. */
  readonly answerMsMax?: number;
};

const IDLE_TIMEOUT_MS = 60_000;
const ANSWER_MS_MAX = 600_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const TRIES = 5;
const FIRST_DELAY_MS = 1_000;
/** Who asks for longer is not waited for. */
const DELAY_MS_MAX = 120_000;

export const createContentClient = (
  address: GhostAddress,
  options: ClientOptions = {},
): ContentClient => {
  const { sleep = sleepFor, bytesMax = ANSWER_BYTES_MAX } = options;
  const { idleTimeoutMs = IDLE_TIMEOUT_MS, answerMsMax = ANSWER_MS_MAX } = options;
  const http = options.http ?? createHttpClient({ connections: 1, idleTimeoutMs });
  const { name } = address;
  let hasAnswered = false;

  const ask = async (url: URL): Promise<ContentAnswer | Again> => {
    let answer: HttpAnswer;
    try {
      const headers = { 'accept-version': 'v5.0', accept: 'application/json' };
      const signal = AbortSignal.timeout(answerMsMax);
      answer = await http.get(url, { headers, bytesMax, signal });
    } catch (cause) {
      return { ...faultOfRequest({ name, hasAnswered }, cause), afterMs: null };
    }
    if (answer.status !== 200) {
      const fault = await faultOfAnswer({ name, hasAnswered }, url, answer);
      return { ...fault, afterMs: retryAfterMs(answer.header('retry-after')) };
    }
    const text = await readText({ name, hasAnswered }, answer);
    if (typeof text !== 'string') return text;
    hasAnswered = true;
    const date = Date.parse(answer.header('date') ?? '');
    return {
      body: parseJson(name, text),
      version: /^v(\d+\.\d+)/.exec(answer.header('content-version') ?? '')?.[1] ?? null,
      nowMs: Number.isNaN(date) ? Date.now() : date,
    };
  };

  return {
    read: async (path, query = {}) => {
      const url = new URL(`${path}/`, address.api);
      for (const [parameter, value] of Object.entries(query))
        url.searchParams.set(parameter, value);
      url.searchParams.set('key', address.key);
      for (let tried = 1; ; tried += 1) {
        const answer = await ask(url);
        if (!('error' in answer)) return answer;
        const { error, mayPass, afterMs } = answer;
        const delayMs = afterMs ?? FIRST_DELAY_MS * 2 ** (tried - 1);
        if (!mayPass || tried === TRIES || delayMs > DELAY_MS_MAX) throw error;
        await sleep(delayMs);
      }
    },
    close: () => http.close(),
  };
};

type Again = Fault & { readonly afterMs: number | null };

const readText = async (
  state: { readonly name: string; readonly hasAnswered: boolean },
  answer: HttpAnswer,
): Promise<string | Again> => {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of answer.body) chunks.push(chunk);
  } catch (cause) {
    if (cause instanceof HttpFault && cause.code === 'ANSWER_TOO_LARGE') {
      return { ...tooLarge(state.name, cause), afterMs: null };
    }
    return { ...faultOfRequest({ ...state, hasAnswered: true }, cause), afterMs: null };
  }
  return Buffer.concat(chunks).toString('utf8');
};

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentence = `${name} answers with something that is not JSON, so it is not the content interface of a Ghost.`;
    throw new PrepressError('SOURCE_NOT_GHOST', sentence, { cause });
  }
};

/** Seconds, or a time. */
const retryAfterMs = (header: string | null): number | null => {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
};
