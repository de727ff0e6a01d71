// The threads that render, started and not yet told what to do. A program that will surely need them starts
// them before it has loaded what it needs itself: that takes either as long.
import { availableParallelism } from 'node:os';
import { startAll } from '../emit/bundled-worker.ts';
import { WorkerLine } from './worker-line.ts';

export type RenderLines = {
  readonly lines: readonly WorkerLine[];
  readonly close: () => Promise<void>;
};

const THREADS_MAX = 4;

/** `workerFile`: the bundled worker. Throws where the system gives no further thread. */
export const startRenderLines = (workerFile: string): RenderLines => {
  const count = Math.min(THREADS_MAX, availableParallelism());
  const lines = startAll(
    count,
    (at) => new WorkerLine(workerFile, `w${at}-`),
    (line) => line.close(),
  );
  const close = async (): Promise<void> => {
    await Promise.all(lines.map((line) => line.close()));
  };
  return { lines, close };
};
