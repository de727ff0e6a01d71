// Worker threads that render. They are opened before a build, each with a snapshot of its own; the caller
// keeps every writer out while they open, so that all of them see the commit that the build sees.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PoolInput, RenderPool } from './render-pool.ts';
import type { Rendered, RenderTask } from './render-records.ts';
import type { WorkerAnswer, WorkerRequest } from './render-worker.ts';

export type RenderWorkers = {
  /** Makes a pool of them for one build. */
  readonly start: (input: PoolInput) => RenderPool;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly databasePath: string;
  /** The bundled worker. */
  readonly workerFile: string;
  readonly count?: number;
};

const WORKERS_MAX = 4;
/** Rendering makes much short-lived text: a small nursery keeps the threads small. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

/** The bundled worker beside this program's bundle; absent when it runs from its sources. */
export const findWorkerFile = (): string | null => {
  const file = new URL('./render-worker.js', import.meta.url);
  return existsSync(file) ? file.pathname : null;
};

export const openRenderWorkers = async (options: Options): Promise<RenderWorkers> => {
  const count = options.count ?? Math.min(WORKERS_MAX, availableParallelism());
  const workers = Array.from({ length: count }, (_, index) => {
    const workerData = { databasePath: options.databasePath, label: `w${index}-` };
    return new WorkerLine(new Worker(options.workerFile, { workerData, resourceLimits: LIMITS }));
  });
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.close()));
  };
  try {
    await Promise.all(workers.map((worker) => worker.ask({ kind: 'open' })));
  } catch (error) {
    await close();
    throw error;
  }
  return { start: (input) => createPool(workers, input), close };
};

const createPool = (workers: readonly WorkerLine[], input: PoolInput): RenderPool => {
  const { settings, spec } = input;
  for (const worker of workers)
    worker.ask({ kind: 'start', settings, spec }).catch(() => undefined);
  return {
    width: workers.length + 1,
    render: async (task) => {
      const worker = workers.reduce((idlest, other) =>
        other.waiting < idlest.waiting ? other : idlest,
      );
      const answer = await worker.ask({ kind: 'render', ...withoutFragments(task) });
      if (answer.kind !== 'rendered') throw new Error('A render worker answered something else.');
      input.onLeaves(answer.leaves);
      return { rendered: unpack(answer.entries, answer.fragments), problems: answer.problems };
    },
  };
};

const withoutFragments = ({ resource, keys, earlier }: RenderTask) => ({
  resource,
  keys,
  earlier: keys.flatMap(({ id }) => earlier.get(id) ?? []),
});

/** Cuts each variant's buffer into the records' fragments. */
const unpack = (
  entries: Extract<WorkerAnswer, { kind: 'rendered' }>['entries'],
  buffers: readonly Uint8Array[],
): Map<string, Rendered> => {
  const offsets = buffers.map(() => 0);
  return new Map(
    entries.map((packed) => {
      const entry = { ...packed, hashes: packed.hashes.map((hash) => Buffer.from(hash)) };
      const fragments = buffers.map((buffer, at) => {
        const start = offsets[at] ?? 0;
        const end = start + (entry.sizes[at] ?? 0);
        offsets[at] = end;
        return Buffer.from(buffer.buffer, buffer.byteOffset + start, end - start);
      });
      return [entry.id, { entry, fragments }];
    }),
  );
};

type Waiting = {
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: unknown) => void;
};

/** One worker: requests are answered in their order. */
class WorkerLine {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: unknown = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (answer: WorkerAnswer) => this.#waiting.shift()?.resolve(answer));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('A render worker ended.')));
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  ask(request: WorkerRequest): Promise<WorkerAnswer> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
