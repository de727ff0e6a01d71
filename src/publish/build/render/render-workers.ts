// Worker threads that render. They are started before a build and then open a snapshot each; the caller
// keeps every writer out while they open, so that all of them see the commit that the build sees.
import { availableParallelism } from 'node:os';
import { startThread, type Thread } from '../../../base/threads/thread.ts';
import { createRenderer } from '../../../publication/documents/renderer.ts';
import type { PoolInput, PoolTask, RenderPool } from './render-pool.ts';
import type { WorkerAnswer, WorkerRequest } from './render-worker.ts';
import { type Bytes, readBatch } from './rendered-batch.ts';

export type RenderThreads = {
  /** Opens a snapshot in each. */
  readonly open: (databasePath: string) => Promise<RenderWorkers>;
  readonly close: () => Promise<void>;
};

export type RenderWorkers = {
  /** Makes a pool of them for one build. */
  readonly start: (input: PoolInput) => RenderPool;
  readonly close: () => Promise<void>;
};

/** Tasks that a worker is given at once: the next one is there when it ends one. */
const TASKS_PER_WORKER = 3;

type RenderThread = Thread<WorkerRequest, WorkerAnswer>;

const THREADS_MAX = 4;
/** Rendering makes much short-lived text: a small nursery keeps the threads small. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

/**
 * Resolves when every thread has loaded what it runs; closes them when one cannot. `workerFile`: the bundled worker.
 * Rejects where the system gives no further thread.
 */
export const startRenderThreads = async (workerFile: string): Promise<RenderThreads> => {
  const count = Math.min(THREADS_MAX, availableParallelism());
  const workers = Array.from(
    { length: count },
    (): RenderThread => startThread(workerFile, { resourceLimits: LIMITS }),
  );
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.close()));
  };
  try {
    await Promise.all(workers.map(({ started }) => started));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    open: async (databasePath) => {
      await Promise.all(workers.map((worker) => worker.ask({ kind: 'open', databasePath })));
      return { start: (input) => createPool(workers, input), close };
    },
    close,
  };
};

const createPool = (workers: readonly RenderThread[], input: PoolInput): RenderPool => {
  const { settings, spec } = input;
  // Bad settings throw here: nobody waits until the threads have begun.
  createRenderer(settings);
  for (const [at, worker] of workers.entries())
    worker.ask({ kind: 'start', settings, spec, label: `w${at}-` }).catch(() => undefined);
  const released: Used[] = [];
  return {
    width: workers.length * TASKS_PER_WORKER,
    render: async (task) => {
      const worker = workers.reduce((idlest, other) =>
        other.waiting() < idlest.waiting() ? other : idlest,
      );
      const used = released.pop() ?? [];
      const moved = used.map(({ buffer }) => buffer);
      const answer = await worker.ask(requestOf(task, used), { moved });
      if (answer === null) throw new Error('A render worker answered something else.');
      const { batch, leaves } = answer;
      input.onRecordFiles(leaves);
      return {
        rendered: readBatch(batch, task.keys),
        problems: batch.problems,
        release: () => void released.push(batch.texts),
      };
    },
  };
};

type Used = readonly Bytes[];

const requestOf = ({ resource, keys, earlier }: PoolTask, used: Used) =>
  ({
    kind: 'render',
    resource,
    keys: keys.map(({ id, segment }) => ({ id, segment })),
    earlier: new Map([...earlier].map(([id, { segment, hashes }]) => [id, { segment, hashes }])),
    used,
  }) as const;
