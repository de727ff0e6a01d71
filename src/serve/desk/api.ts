// Asks the admin interface of the server that the page came from. An answer that is not a success becomes a Failure,
// whose message is a sentence for people.
import { type AdminKey, signToken } from './session.ts';

/** Without a trailing slash; the page stands at `{base}/desk/`. */
export const BASE = new URL('..', location.href).pathname.replace(/\/$/, '');

class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  /** The code of the problem, where the server gives one. */
  readonly code: string | null;

  constructor(message: string, status: number, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What a save of a known record failed with, in words that fit a record that is there no more. */
export const saveFailure = (error: unknown): unknown =>
  error instanceof Failure && error.status === 404 ? new Error(DELETED) : error;

const DELETED =
  'This was deleted elsewhere, so nothing was saved. Copy what you want to keep into a new one.';

/** Whether the record was changed elsewhere since it was read. */
export const isCollision = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'UPDATE_COLLISION';

/** Whether the server will refuse it again as it is. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Failure && error.status >= 400 && error.status < 500 && !LATER.has(error.status);

/** After signing in, or a wait. */
const LATER = new Set([401, 408, 429]);

export type Query = Readonly<Record<string, string | number | undefined>>;

export type Api = {
  readonly get: <T>(path: string, query?: Query) => Promise<T>;
  /** `body`: JSON, or a form with a file. */
  readonly send: <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** Called each minute: what is sent until the next time goes out at once, though its page is being closed. */
  readonly prepare: () => void;
  /** An answer as it is, such as a file. */
  readonly download: (path: string, query?: Query) => Promise<Blob>;
};

/** `onRefused`: the key is not good any more. It is called once, and nothing is asked with that key afterwards. */
export const createApi = (key: AdminKey, onRefused: () => void): Api => {
  let aheadMs = 0;
  let refusal: Failure | null = null;
  let signed: Signed | null = null;
  const tokenFor = (clockAheadMs: number, ageMaxMs = SENT_MS): Promise<string> => {
    const isGood = signed?.aheadMs === clockAheadMs && Date.now() - signed.at < ageMaxMs;
    if (signed === null || !isGood) {
      const token = signToken(key, clockAheadMs);
      signed = { token, aheadMs: clockAheadMs, at: Date.now() };
    }
    return signed.token;
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
    if (refusal !== null) throw refusal;
    const isForm = body instanceof FormData;
    const sent = isForm || body === undefined ? body : JSON.stringify(body);
    const once = async (clockAheadMs: number): Promise<Response> =>
      fetch(`${BASE}/admin${path}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Ghost ${await tokenFor(clockAheadMs)}`,
          ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
        },
        cache: 'no-store',
        // One to another origin, such as to a login page, would look like no answer.
        redirect: 'manual',
        ...(sent !== undefined && { body: sent }),
        keepalive: typeof sent === 'string' && sent.length < SHORT,
      }).catch(() => {
        throw new Failure(navigator.onLine || isLocal() ? SILENT : OFFLINE, 0);
      });
    // Others may learn the server's time meanwhile: what counts is what this one was signed with.
    const signedMs = aheadMs;
    let response = await once(signedMs);
    if (response.status === 401 && isClockOff(response, signedMs)) {
      aheadMs = Date.now() - Date.parse(response.headers.get('date') ?? '');
      response = await once(aheadMs);
    }
    if (response.ok) return response;
    const failure = await failureOf(response);
    if (failure.status === 401 && refusal === null) {
      refusal = failure;
      onRefused();
    }
    throw failure;
  };
  const read = async <T>(response: Response): Promise<T> =>
    response.status === 204
      ? (null as T)
      : response.json().catch(() => {
          throw foreignFailure(response);
        });
  return {
    get: async (path, query) => read(await ask('GET', withQuery(path, query))),
    send: async (method, path, body) => read(await ask(method, path, body)),
    prepare: () => void tokenFor(aheadMs, PREPARED_MS),
    download: async (path, query) => {
      const response = await ask('GET', withQuery(path, query));
      if (/html/.test(response.headers.get('content-type') ?? '')) throw foreignFailure(response);
      return response.blob();
    },
  };
};

/** A server on this computer needs no network. */
const isLocal = (): boolean => /^(?:localhost|127\.|\[::1\])/.test(location.hostname);

const SILENT = 'The server does not answer. Wait a moment, then try again.';
const OFFLINE = 'This computer is offline. Try again once it has a network.';

type Signed = {
  readonly token: Promise<string>;
  readonly aheadMs: number;
  readonly at: number;
};

/** Three quarters of a token's life. While a page is closed none is signed any more: one that is there already is sent. */
const SENT_MS = 180_000;
/** What is prepared each minute is young enough to be sent until the next time, which browsers may put off. */
const PREPARED_MS = 60_000;

/** Goes on when its page is closed: browsers take 64 kB of such requests together. */
const SHORT = 8_000;

const CLOCK_MAX_MS = 30_000;

/** A token names the time: with a wrong clock, the server's own is used. */
const isClockOff = (response: Response, aheadMs: number): boolean => {
  const ahead = Date.now() - Date.parse(response.headers.get('date') ?? '');
  return Math.abs(ahead - aheadMs) > CLOCK_MAX_MS;
};

const withQuery = (path: string, query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

type Problem = {
  readonly message?: string;
  readonly context?: string | null;
  readonly code?: string | null;
};

const failureOf = async (response: Response): Promise<Failure> => {
  const { status } = response;
  const wait = response.headers.get('retry-after');
  if (status === 429 && wait !== null) {
    return new Failure(
      `There were too many attempts. Wait ${wait} seconds, then try again.`,
      status,
    );
  }
  const body: { errors?: Problem[] } | null = await response.json().catch(() => null);
  const [problem] = body?.errors ?? [];
  if (problem === undefined) return foreignFailure(response);
  if (status === 401) return new Failure('The server does not accept this key.', status);
  // What is wrong stands in `context` where the message says only what could not be done; of a conflict it is the advice.
  const { message, context, code = null } = problem;
  const whole = status === 409 && message && context ? `${message} ${context}` : null;
  const text = whole || context || message || `The server answered ${status}.`;
  return new Failure(inWords(text), status, code);
};

/** What answered is not Prepress, which names its errors and writes JSON. */
const foreignFailure = ({ status }: Response): Failure => {
  const address = new URL(`${BASE}/admin/`, location.href);
  const said =
    IN_FRONT.get(status) ??
    `Prepress did not answer at ${address}, something else did (${status || 'a redirect'}). ${FORWARDED}`;
  return new Failure(said, MISLEADING.has(status) ? 0 : status);
};

/** Of Prepress they mean that the key is refused, or that a record was deleted. */
const MISLEADING = new Set([401, 404]);

const FORWARDED =
  'A proxy must forward this address, and all below it, unchanged. If it asks for a login, load this page again.';

const IN_FRONT: ReadonlyMap<number, string> = new Map([
  [413, 'A proxy takes nothing so large (413). Raise its limit, client_max_body_size in nginx.'],
  ...[502, 503, 504].map((status): [number, string] => [
    status,
    `A proxy answered ${status}: Prepress does not answer it. Wait a moment, then try again. If this lasts, see whether Prepress runs.`,
  ]),
]);

/** A sentence about a property, such as target_url, names it as people would. */
const inWords = (sentence: string): string =>
  sentence.replace(/^[a-z]+(?:_[a-z]+)+ /, (name) => {
    const words = name.replace(/_/g, ' ').replace(/\burl\b/, 'address');
    return words.charAt(0).toUpperCase() + words.slice(1);
  });

/** The sentence of anything that was thrown. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong.';
