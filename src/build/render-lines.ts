// The threads that render, started and not yet told what to do. A program that will surely need them starts
// them before it has loaded what it needs itself: that takes either as long.
import { availableParallelism } from 'node:os';
import { startAll } from '../emit/bundled-worker.ts';
import { WorkerLine } from './worker-line.ts';

export type RenderLines = {
  readonly lines: readonly WorkerLine[];
  /** The build's thread renders too, when the workers have enough to do. */
  readonly isAlone: boolean;
  readonly close: () => Promise<void>;
};

type Options = {
  /** The bundled worker. */
  readonly workerFile: string;
  readonly isAlone: boolean;
};

const THREADS_MAX = 4;

/** Throws where the system gives no further thread. */
export const startRenderLines = ({ workerFile, isAlone }: Options): RenderLines => {
  const threads = Math.min(THREADS_MAX, availableParallelism());
  const count = isAlone ? Math.max(1, threads - 1) : threads;
  const lines = startAll(
    count,
    (at) => new WorkerLine(workerFile, `w${at}-`),
    (line) => line.close(),
  );
  const close = async (): Promise<void> => {
    await Promise.all(lines.map((line) => line.close()));
  };
  return { lines, isAlone, close };
};
