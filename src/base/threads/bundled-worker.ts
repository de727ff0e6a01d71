// The workers that are bundled beside the program; absent when it runs from its sources.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

type Name =
  | 'build-worker'
  | 'render-worker'
  | 'emit-worker'
  | 'read-worker'
  | 'post-call-worker'
  | 'format-worker'
  | 'page-worker'
  | 'page-stage-worker'
  | 'member-job-worker';

/** `place`: address of the program's own file; another one only in tests. */
export const findBundledWorker = (name: Name, place = import.meta.url): string | null => {
  const file = fileURLToPath(new URL(`./${name}.js`, place));
  return existsSync(file) ? file : null;
};

/**
 * Starts a thread for what may as well be left undone: nothing is heard of what it cannot do. Undefined where the
 * system gives no further one.
 */
export const startAside = (file: string, task: unknown): Worker | undefined => {
  try {
    const worker = new Worker(file, { workerData: task });
    worker.on('error', () => undefined);
    return worker;
  } catch {
    return undefined;
  }
};

/** Starts threads; where the system gives no further one, those that run end, or they would wait for ever. */
export const startAll = <Thread>(
  count: number,
  start: (at: number) => Thread,
  end: (thread: Thread) => unknown,
): Thread[] => {
  const threads: Thread[] = [];
  try {
    while (threads.length < count) threads.push(start(threads.length));
    return threads;
  } catch (error) {
    for (const thread of threads) end(thread);
    throw error;
  }
};
