// A worker thread, seen from whoever asks it: requests are answered in their order, with the thread's own errors. The one
// place that starts threads; what runs in one is told by serve-thread.ts.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { PrepressError } from '../errors.ts';
import { END, type Said } from './serve-thread.ts';
import { unpackError } from './thread-error.ts';

export type ThreadOptions = Pick<WorkerOptions, 'env' | 'resourceLimits'> & {
  readonly loadMs?: number;
  /** What it prints is dropped. */
  readonly isQuiet?: boolean;
  /** False: the process may end before the thread does. */
  readonly keepsProcess?: boolean;
};

type AskOptions<News> = {
  /** Buffers that are moved to the thread, not copied. */
  readonly moved?: ArrayBuffer[] | undefined;
  readonly timeMs?: number;
  /** Takes what the thread tells before it answers. */
  readonly onNews?: ((news: News) => void) | undefined;
};

export type Thread<Request, Answer, News = never> = {
  /** Resolves when it has loaded what it runs. */
  readonly started: Promise<unknown>;
  /** Throws what the thread throws, whole; THREAD_ENDED when the thread ends or ended without an answer. */
  readonly ask: (request: Request, options?: AskOptions<News>) => Promise<Answer>;
  /** How many requests wait. */
  readonly waiting: () => number;
  /** Lets it end by itself once it has answered; resolves when it has let go of its files. */
  readonly finish: () => Promise<void>;
  /** Ends it at once: what waits is rejected with `reason`. Resolves when it has let go of its files. */
  readonly close: (reason?: unknown) => Promise<void>;
};

/** Why a thread is of no use any more. */
type EndReason = 'memory' | 'time' | 'ended';

type Waiting = {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  readonly onNews?: ((news: never) => void) | undefined;
};

/** `file`: the bundled worker. Where the system gives no further thread, it counts as one that ended. */
export const startThread = <Request, Answer, News = never>(
  file: string,
  { loadMs, isQuiet = false, keepsProcess = true, ...limits }: ThreadOptions = {},
): Thread<Request, Answer, News> => {
  const waiting: Waiting[] = [];
  let failure: { readonly reason: unknown } | null = null;
  const fail = (reason: unknown): void => {
    failure ??= { reason };
    for (const { reject } of waiting.splice(0)) reject(failure.reason);
  };
  const take = (said: Said<never, never>): void => {
    const asked = 'news' in said ? waiting[0] : waiting.shift();
    if ('news' in said) asked?.onNews?.(said.news);
    else if ('failed' in said) asked?.reject(unpackError(said.failed));
    else asked?.resolve(said.answer);
  };
  const start = (): Worker | null => {
    try {
      return new Worker(file, { ...limits, stdout: isQuiet, stderr: isQuiet });
    } catch (error) {
      fail(threadEnded('ended', error));
      return null;
    }
  };
  const worker = start();
  const ended = new Promise<void>((resolve) => {
    if (worker === null) resolve();
    worker?.once('exit', () => {
      fail(threadEnded('ended'));
      resolve();
    });
  });
  worker?.on('message', take).on('error', (error: Error & { readonly code?: string }) => {
    fail(threadEnded(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended', error));
  });
  if (isQuiet) for (const said of [worker?.stdout, worker?.stderr]) said?.resume();
  if (!keepsProcess) worker?.unref();

  const close = async (reason: unknown = threadEnded('ended')): Promise<void> => {
    fail(reason);
    await worker?.terminate();
    await ended;
  };
  const wait = async <T>(timeMs: number | undefined, onNews?: Waiting['onNews']): Promise<T> => {
    if (failure !== null) throw failure.reason;
    const late =
      timeMs === undefined ? timeMs : setTimeout(() => void close(threadEnded('time')), timeMs);
    try {
      return await new Promise<T>((resolve, reject) => waiting.push({ resolve, reject, onNews }));
    } finally {
      clearTimeout(late);
    }
  };
  const started = wait(loadMs);
  // Whoever waits for it sees it.
  started.catch(() => undefined);
  return {
    started,
    ask: async (request, { moved, timeMs, onNews } = {}) => {
      worker?.postMessage(request, moved);
      return wait(timeMs, onNews);
    },
    waiting: () => waiting.length,
    finish: async () => {
      worker?.postMessage(END);
      await ended;
    },
    close,
  };
};

type RunOptions = ThreadOptions & {
  readonly moved?: ArrayBuffer[] | undefined;
  /** Ends the thread; its reason is thrown. */
  readonly signal?: AbortSignal;
} & Pick<AskOptions<never>, 'timeMs'>;

/** Asks a thread that ends with its answer, and waits until it has let go of its files. Throws as `ask` does. */
export const runOnThread = async <Request, Answer>(
  file: string,
  request: Request,
  { moved, signal, timeMs, ...options }: RunOptions = {},
): Promise<Answer> => {
  signal?.throwIfAborted();
  const thread = startThread<Request, Answer>(file, options);
  const end = (): void => void thread.close(signal?.reason);
  signal?.addEventListener('abort', end);
  try {
    const asked = thread.ask(request, { moved, ...(timeMs && { timeMs }) });
    const finished = thread.finish();
    const answer = await asked;
    await finished;
    return answer;
  } catch (error) {
    await thread.close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
};

const SENTENCES: Readonly<Record<EndReason, string>> = {
  memory: 'A worker thread needs more memory than it may have.',
  time: 'A worker thread takes longer than it may.',
  ended: 'A worker thread ended before it answered.',
};

const threadEnded = (reason: EndReason, cause?: unknown): PrepressError =>
  new PrepressError('THREAD_ENDED', SENTENCES[reason], { details: { reason }, cause });

/** Null: the thread did not end, it failed. */
export const endReasonOf = (error: unknown): EndReason | null =>
  error instanceof PrepressError && error.code === 'THREAD_ENDED'
    ? (error.details as { readonly reason: EndReason }).reason
    : null;

/** The workers that are bundled beside the program. */
type Name =
  | 'build-worker'
  | 'render-worker'
  | 'file-worker'
  | 'read-worker'
  | 'job-worker'
  | 'format-worker'
  | 'page-worker'
  | 'size-worker';

/** Null where the program runs from its sources. `place`: address of the program's own file; another one only in tests. */
export const findBundledWorker = (name: Name, place = import.meta.url): string | null => {
  const file = fileURLToPath(new URL(`./${name}.js`, place));
  return existsSync(file) ? file : null;
};
