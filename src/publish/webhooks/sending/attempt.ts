// One try of one delivery: vet the target, connect to a vetted address, POST the signed body, read a little of the answer.
// Never throws: whatever happens is an attempt with a status or an error code. Nothing follows a redirect, decompresses, or
// outlives the total timeout, and what a receiver sends is bounded in each of its parts and in all.
import type { Socket } from 'node:net';
import { ATTEMPT_MS_MAX } from '../../../base/limits.ts';
import type { AllowList } from '../../../base/net/addresses.ts';
import { loadHttpClient, pinnedLookup } from '../../../base/net/http-client.ts';
import { type Resolver, vetTarget } from '../../../base/net/vet-target.ts';
import { CONTENT_VERSION } from '../../../content/paths/headers.ts';
import type { Attempt } from '../../../publication/store/webhooks/attempts.ts';
import type { OwnHeaders } from '../../../publication/store/webhooks/own-headers.ts';
import { signatureHeaders } from './signatures.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
const KEPT_BYTES_MAX = 2 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** Answers before the answer (1xx), each with headers of its own. */
const INTERIM_ANSWERS_MAX = 10;
/**
 * All that is read from the connection. The HTTP parser has no bound for a reason phrase, for empty lines
 * before the status or for what stands between the chunks of a body.
 */
const RECEIVED_BYTES_MAX = 1024 * 1024;

export type DeliveryRequest = {
  readonly id: string;
  /** Of the webhook's own; none of them is one that is written here. */
  readonly headers?: OwnHeaders;
  readonly body: string;
  readonly targetUrl: string;
  /** Live secrets, the newest first. */
  readonly secrets: readonly string[];
};

export type Sender = {
  readonly allow: AllowList;
  readonly resolve: Resolver;
  readonly now: () => number;
  readonly timeoutMs?: number;
  /** Aborted when the program ends: so does the attempt, with the error ENDED. */
  readonly ending?: AbortSignal;
};

/** The error of an attempt whose target may not be reached; its reason says why. */
export const TARGET_REFUSED = 'TARGET_REFUSED';

/** The error of an attempt that the sender itself ended. */
export const ENDED = 'ENDED';

export type AttemptResult = Attempt & { readonly retryAfter: string | null };

type Answer = Pick<AttemptResult, 'status' | 'response' | 'retryAfter'>;

export const sendAttempt = async (
  request: DeliveryRequest,
  sender: Sender,
): Promise<AttemptResult> => {
  const startedAt = sender.now();
  const started = performance.now();
  const finish = (
    answer: Partial<Answer>,
    error: string | null,
    reason: string | null = null,
  ): AttemptResult => ({
    startedAt,
    durationMs: Math.round(performance.now() - started),
    status: answer.status ?? null,
    error,
    reason,
    response: answer.response ?? null,
    retryAfter: answer.retryAfter ?? null,
  });
  const { ending, timeoutMs = ATTEMPT_MS_MAX } = sender;
  // AbortSignal.any would leave something of each attempt with `ending`, which lives as long as the program.
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  ending?.addEventListener('abort', abort);
  if (ending?.aborted) abort();
  const seen: Partial<Answer> & { status?: number } = {};
  try {
    const vetted = await untilAborted(vetTarget(request.targetUrl, sender), signal);
    if (!vetted.isAllowed) return finish({}, TARGET_REFUSED, vetted.reason);
    await exchange(request, { ...vetted, startedAt, signal, seen });
    const isSuccess = seen.status !== undefined && seen.status >= 200 && seen.status < 300;
    return finish(seen, isSuccess ? null : `HTTP_${seen.status}`);
  } catch (cause) {
    if (ending?.aborted) return finish(seen, ENDED);
    return finish(seen, signal.aborted ? 'ETIMEDOUT' : codeOf(cause));
  } finally {
    clearTimeout(timer);
    ending?.removeEventListener('abort', abort);
  }
};

type Exchange = {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly startedAt: number;
  readonly signal: AbortSignal;
  /** Filled while the answer arrives, so that a cut answer keeps its status. */
  readonly seen: { status?: number; response?: string | null; retryAfter?: string | null };
};

const exchange = async (
  { id, headers, body, secrets }: DeliveryRequest,
  { url, addresses, startedAt, signal, seen }: Exchange,
): Promise<void> => {
  const { default: undici } = await loadHttpClient();
  const connect = undici.buildConnector({
    lookup: pinnedLookup(addresses),
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
  });
  let interimAnswers = 0;
  const client = new undici.Client(url.origin, {
    connect: (options, done) =>
      connect(options, (...result) => {
        if (result[0] === null) boundBytes(result[1]);
        done(...result);
      }),
    maxHeaderSize: HEADER_BYTES_MAX,
    pipelining: 0,
    keepAliveTimeout: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      body,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-version': CONTENT_VERSION,
        'user-agent': 'Prepress (webhooks)',
        ...signatureHeaders({ id, body, now: startedAt }, secrets),
      },
      signal,
      onInfo: () => {
        interimAnswers += 1;
        if (interimAnswers > INTERIM_ANSWERS_MAX) throw cutOff('TOO_MANY_1XX');
      },
    });
    seen.status = answer.statusCode;
    seen.retryAfter = [answer.headers['retry-after']].flat()[0] ?? null;
    answer.body.on('error', () => {});
    await readSome(answer.body, (text) => {
      seen.response = text;
    });
  } finally {
    await client.destroy().catch(() => {});
  }
};

const boundBytes = (socket: Socket): void => {
  socket.on('readable', () => {
    if (socket.bytesRead > RECEIVED_BYTES_MAX) socket.destroy(cutOff('ANSWER_TOO_LONG'));
  });
};

const cutOff = (code: string): Error =>
  Object.assign(new Error('The receiver sent more than is read.'), { code });

/** Reads at most RESPONSE_BYTES_MAX and keeps the first KEPT_BYTES_MAX as text. */
const readSome = async (
  body: AsyncIterable<Uint8Array>,
  keep: (text: string) => void,
): Promise<void> => {
  let kept = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (kept.length < KEPT_BYTES_MAX) {
      kept = Buffer.concat([kept, chunk]).subarray(0, KEPT_BYTES_MAX);
      keep(kept.toString('utf8').replaceAll('\0', ''));
    }
    if (bytes >= RESPONSE_BYTES_MAX) return;
  }
};

const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** A short code; messages may hold addresses and are not kept. */
const codeOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
    return cause.code;
  return cause instanceof Error && cause.name === 'HTTPParserError' ? 'NOT_HTTP' : 'EFAILED';
};
