// Requests of the program's own to addresses that others named: bounded in time and bytes, never following a redirect by
// itself, and connected only to addresses that the caller vetted, where it names them.
import { isIPv6, type LookupFunction } from 'node:net';
import type { Pool } from 'undici';

/** Most commands send nothing and start sooner without it. */
export const loadHttpClient = () => import('undici');

/** Answers every question with the vetted addresses: DNS is not asked again. */
export const pinnedLookup = (addresses: readonly string[]): LookupFunction => {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = answers;
    if (options.all || first === undefined) callback(null, answers);
    else callback(null, first.address, first.family);
  };
};

export type HttpAnswer = {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** Throws ANSWER_TOO_LARGE when it grows beyond `bytesMax`, ANSWER_CUT when it ends early. Read it, or discard it. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
};

type Get = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  /** The only addresses to connect to; absent: what the system resolves. */
  readonly addresses?: readonly string[];
  readonly signal?: AbortSignal;
};

export type HttpClient = {
  /** Rejects with the system's or the parser's error, which has a code. */
  readonly get: (url: URL, options: Get) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
};

type HttpFaultCode = 'ANSWER_TOO_LARGE' | 'ANSWER_CUT';

export class HttpFault extends Error {
  readonly code: HttpFaultCode;
  constructor(code: HttpFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

type ClientOptions = {
  /** For each host. */
  readonly connections: number;
  /** Without a byte for so long, an answer is given up. */
  readonly idleTimeoutMs: number;
};

const CONNECT_TIMEOUT_MS = 10_000;
const HEADER_BYTES_MAX = 16 * 1024;

/** Keeps connections open between requests; `close` ends them. */
export const createHttpClient = (options: ClientOptions): HttpClient => {
  const pools = new Map<string, Pool>();
  const poolFor = async (origin: string, addresses?: readonly string[]): Promise<Pool> => {
    const key = [origin, ...(addresses ?? [])].join(' ');
    const { default: undici } = await loadHttpClient();
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool = new undici.Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: options.idleTimeoutMs,
      bodyTimeout: options.idleTimeoutMs,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        autoSelectFamily: true,
        ...(addresses && { lookup: pinnedLookup(addresses) }),
      },
    });
    pools.set(key, pool);
    return pool;
  };
  return {
    get: async (url, { headers = {}, bytesMax, addresses, signal }) => {
      const pool = await poolFor(url.origin, addresses);
      const answer = await pool.request({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { 'user-agent': 'Prepress', 'accept-encoding': 'identity', ...headers },
        ...(signal && { signal }),
      });
      // Discarding destroys it, which is no news.
      answer.body.on('error', () => {});
      return {
        status: answer.statusCode,
        header: (name) => [answer.headers[name]].flat()[0] ?? null,
        body: bounded(answer.body, bytesMax, sizeOf(answer.headers['content-length'])),
        discard: () => void answer.body.destroy(),
      };
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
};

const sizeOf = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;

async function* bounded(
  body: AsyncIterable<Uint8Array> & { destroy: () => unknown },
  bytesMax: number,
  size: number | null,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    if (size !== null && size > bytesMax) throw tooLarge(bytesMax);
    for await (const chunk of readWhole(body)) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
    }
  } finally {
    body.destroy();
  }
}

async function* readWhole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new HttpFault('ANSWER_CUT', 'The answer ended early.', { cause });
  }
}

const tooLarge = (bytesMax: number): HttpFault =>
  new HttpFault('ANSWER_TOO_LARGE', `The answer has more than ${bytesMax} bytes.`);
