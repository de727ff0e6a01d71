// Writes list jobs: small ones at once, large ones on threads of their own, because reading, hashing and
// writing hundreds of megabytes takes a processor a while and would keep the event loop waiting.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { findBundledWorker, startAll } from './bundled-worker.ts';
import type { WrittenFile } from './list-file.ts';
import { type ListJob, sizeOf, writeListJob } from './list-job.ts';

const THREADS_MAX = 4;
/** Starting a thread costs about as much as writing this much. */
const THREADED_BYTES_MIN = 8 * 1024 * 1024;

export type ListThreads = {
  /** Begins as soon as a thread is free. */
  readonly write: (job: ListJob) => Promise<WrittenFile>;
  readonly close: () => Promise<void>;
};

export type ListThreadsOptions = {
  /** The bundled worker; null: this thread writes all. */
  readonly workerFile?: string | null;
  readonly bytesMin?: number;
};

type Expected = { readonly bytes: number; readonly files: number };

/** Threads for about that many bytes in so many files. */
export const openListThreads = (
  { bytes, files }: Expected,
  options: ListThreadsOptions = {},
): ListThreads => {
  const { workerFile = findBundledWorker('list-worker'), bytesMin = THREADED_BYTES_MIN } = options;
  const isThreaded = workerFile !== null && bytes >= bytesMin;
  const count = isThreaded ? Math.min(THREADS_MAX, availableParallelism(), files) : 0;
  const workers = startAll(
    count,
    () => new Worker(workerFile ?? ''),
    (worker) => worker.terminate(),
  );
  const { write, isAtWork } = shareAmong(workers);
  return {
    write: count === 0 ? async (job) => writeListJob(job) : write,
    close: async () => {
      const ended = Promise.all(workers.map((worker) => worker.terminate()));
      // A thread that holds no file need not be waited for.
      if (isAtWork()) await ended;
    },
  };
};

/** Of each thread: while the disk takes a block of one list, it fills one of the other. */
const JOBS_AT_ONCE = 2;

type Given = { readonly job: ListJob; readonly resolve: (written: WrittenFile) => void };

/** Gives each job to the thread with the fewest bytes before it. */
const shareAmong = (
  workers: readonly Worker[],
): { readonly write: ListThreads['write']; readonly isAtWork: () => boolean } => {
  const left: Given[] = [];
  const threads = workers.map((worker) => ({ worker, given: new Map<string, Given>() }));
  const bytesBefore = ({ given }: (typeof threads)[number]): number =>
    [...given.values()].reduce((sum, { job }) => sum + sizeOf(job), 0);
  const giveAll = (): void => {
    while (left.length > 0) {
      const [thread] = threads
        .filter(({ given }) => given.size < JOBS_AT_ONCE)
        .sort((a, b) => bytesBefore(a) - bytesBefore(b));
      const next = left[0];
      if (thread === undefined || next === undefined) return;
      left.shift();
      thread.given.set(next.job.temporary, next);
      thread.worker.postMessage(next.job);
    }
  };
  const failed = new Promise<never>((_, reject) => {
    for (const { worker, given } of threads) {
      worker.on('message', (written: WrittenFile) => {
        const { resolve } = given.get(written.temporary) as Given;
        given.delete(written.temporary);
        giveAll();
        resolve({ ...written, sha256: Buffer.from(written.sha256) });
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('A thread that writes lists ended.')));
    }
  });
  // It is heard of where files are waited for.
  failed.catch(() => undefined);
  const write = (job: ListJob): Promise<WrittenFile> =>
    new Promise((resolve) => {
      left.push({ job, resolve });
      giveAll();
    });
  return {
    write: (job) => Promise.race([write(job), failed]),
    isAtWork: () => threads.some(({ given }) => given.size > 0),
  };
};
