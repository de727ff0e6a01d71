// What a rude receiver does to a request, by name, and a receiver that chooses by seed and keeps books.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startReceiver } from '../helpers/receiver.ts';

/** A small generator of numbers in [0, 1): the same seed, the same run. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

type Manner = (response: ServerResponse, request: IncomingMessage) => void;

const HUGE_BYTES = 300 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 120);
/** 100 MB of zeros in 100 kB. */
const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024));

/** Writes until it is all written or the other side has gone. */
const pour = (write: () => boolean, onDrain: (next: () => void) => void): void => {
  const next = (): void => {
    while (write());
    onDrain(next);
  };
  next();
};

const MANNERS = {
  ok: (response) => response.writeHead(200).end('ok'),
  /** Answered when the test says so. */
  held: () => undefined,
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  missing: (response) => response.writeHead(404).end(),
  gone: (response) => response.writeHead(410).end(),
  busySeconds: (response) => response.writeHead(429, { 'retry-after': '7' }).end(),
  busyDate: (response) =>
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 8_000).toUTCString() }).end(),
  broken: (response) => response.writeHead(503).end('x'.repeat(100_000)),
  hang: () => undefined,
  drip: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  reset: (_response, request) => request.socket.resetAndDestroy(),
  huge: (response) => {
    let left = HUGE_BYTES;
    response.writeHead(200, { 'content-length': HUGE_BYTES });
    pour(
      () => {
        if (left <= 0 || response.destroyed) return false;
        left -= CHUNK.length;
        return response.write(CHUNK);
      },
      (next) => {
        if (left > 0) response.once('drain', next);
        else response.end();
      },
    );
  },
  bomb: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  endlessHeaders: (_response, { socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(
      () => !socket.destroyed && socket.write(`x-again: ${'y'.repeat(1_000)}\r\n`),
      (next) => socket.once('drain', next),
    );
  },
} as const satisfies Record<string, Manner>;

export type MannerName = keyof typeof MANNERS;

/** All that is rude but 410, which disables the webhook: whoever uses it must enable it again. */
export const RUDE: readonly MannerName[] = (Object.keys(MANNERS) as MannerName[]).filter(
  (name) => name !== 'gone' && name !== 'held',
);

/** Answers that end as a success: only the first bytes of a body are read. */
const SUCCESSES: ReadonlySet<MannerName> = new Set(['ok', 'held', 'huge', 'bomb']);

export type Call = {
  readonly id: string;
  readonly body: string;
  readonly at: number;
  readonly manner: MannerName;
};

export type RudeReceiver = {
  readonly url: string;
  readonly calls: Call[];
  /** Chosen from by seed; it may be changed at any time. */
  manners: readonly MannerName[];
  /** Answers those that are held. */
  readonly release: () => void;
  readonly audit: () => Audit;
};

export type Audit = {
  /** Different bodies, which are different events. */
  readonly events: number;
  /** Bodies that came under more than one id. */
  readonly unstable: number;
  readonly calls: number;
  /** Calls for a body that had been answered with a success before. */
  readonly duplicates: number;
  /** Ids that were answered with a success. */
  readonly succeeded: ReadonlySet<string>;
};

export const startRude = async (
  random: () => number,
  manners: readonly MannerName[],
): Promise<RudeReceiver> => {
  const calls: Call[] = [];
  const held: ServerResponse[] = [];
  const { url } = await startReceiver((response, { headers, body, at }, request) => {
    const { manners: choice } = receiver;
    const manner = choice[Math.floor(random() * choice.length)] ?? 'ok';
    calls.push({ id: `${headers['webhook-id']}`, body, at, manner });
    MANNERS[manner](response, request);
    if (manner === 'held') held.push(response);
  });
  const release = (): void => {
    for (const response of held.splice(0)) MANNERS.ok(response);
  };
  const receiver: RudeReceiver = { url, calls, manners, release, audit: () => auditCalls(calls) };
  return receiver;
};

const auditCalls = (calls: readonly Call[]): Audit => {
  const ids = new Map<string, Set<string>>();
  const succeeded = new Set<string>();
  let duplicates = 0;
  for (const { id, body, manner } of calls) {
    ids.set(body, (ids.get(body) ?? new Set()).add(id));
    if (succeeded.has(id)) duplicates += 1;
    if (SUCCESSES.has(manner)) succeeded.add(id);
  }
  const unstable = [...ids.values()].filter(({ size }) => size !== 1).length;
  return { events: ids.size, unstable, calls: calls.length, duplicates, succeeded };
};
