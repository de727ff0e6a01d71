// The threads that render, started and not yet told what to do. A program that will surely need them starts
// them before it has loaded what it needs itself: that takes either as long.
import { availableParallelism } from 'node:os';
import { AskedThread } from '../base/asked-thread.ts';
import { startAll } from '../emit/bundled-worker.ts';
import type { WorkerAnswer, WorkerRequest } from './render-worker.ts';

/** A thread that renders. */
export type WorkerLine = AskedThread<WorkerRequest, WorkerAnswer>;

export type RenderLines = {
  readonly lines: readonly WorkerLine[];
  readonly close: () => Promise<void>;
};

const THREADS_MAX = 4;
/** Rendering makes much short-lived text: a small nursery keeps the threads small. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

/** `workerFile`: the bundled worker. Throws where the system gives no further thread. */
export const startRenderLines = (workerFile: string): RenderLines => {
  const count = Math.min(THREADS_MAX, availableParallelism());
  const lines = startAll(
    count,
    // The label keeps the files of several apart.
    (at) =>
      new AskedThread<WorkerRequest, WorkerAnswer>(workerFile, {
        workerData: { label: `w${at}-` },
        resourceLimits: LIMITS,
      }),
    (line) => line.close(),
  );
  const close = async (): Promise<void> => {
    await Promise.all(lines.map((line) => line.close()));
  };
  return { lines, close };
};
