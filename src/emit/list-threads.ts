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
  /** The files of the jobs, in their order. */
  readonly write: (jobs: readonly ListJob[]) => Promise<WrittenFile[]>;
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
  const failed = new Promise<never>((_, reject) => {
    for (const worker of workers) {
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('A thread that writes lists ended.')));
    }
  });
  // It is heard of where files are waited for.
  failed.catch(() => undefined);
  return {
    write: async (jobs) =>
      count === 0 ? jobs.map(writeListJob) : Promise.race([share(jobs, workers), failed]),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
};

/** Gives each thread the largest job that is left, two at a time: one is synced while one is written. */
const share = (jobs: readonly ListJob[], workers: readonly Worker[]): Promise<WrittenFile[]> =>
  new Promise((resolve) => {
    const left = [...jobs].sort((a, b) => sizeOf(a) - sizeOf(b));
    const done = new Map<string, WrittenFile>();
    const giveTo = (worker: Worker): void => {
      const job = left.pop();
      if (job !== undefined) worker.postMessage(job);
    };
    for (const worker of workers) {
      worker.on('message', (written: WrittenFile) => {
        done.set(written.temporary, { ...written, sha256: Buffer.from(written.sha256) });
        if (done.size === jobs.length) {
          resolve(jobs.map(({ temporary }) => done.get(temporary) as WrittenFile));
        } else giveTo(worker);
      });
    }
    for (const worker of [...workers, ...workers]) giveTo(worker);
  });
