// Starts the threads that render before the command that needs them is loaded, where it is plain that many
// records will be rendered.
import { existsSync, statSync } from 'node:fs';
import { type RenderLines, startRenderLines } from '../build/render-lines.ts';
import { findBundledWorker } from '../emit/bundled-worker.ts';
import { dataPathsOf } from '../publisher/paths.ts';
import type { Run } from './command.ts';

/** A publication that has posts enough for threads is larger. */
const DATABASE_BYTES_MIN = 8 * 1024 * 1024;

export type EarlyThreads = {
  /** The threads, to the first who asks. */
  readonly take: () => RenderLines | null;
  /** Ends those that nobody took. */
  readonly close: () => Promise<void>;
};

/** `workerFile`: the bundled worker; null where there is none. */
export const startEarlyThreads = (
  { config, options }: Pick<Parameters<Run>[0], 'config' | 'options'>,
  workerFile = findBundledWorker('render-worker'),
): EarlyThreads => {
  const { database, manifest } = dataPathsOf(config);
  const isFull = options.full === true || !existsSync(manifest);
  let lines = isFull && sizeOf(database) >= DATABASE_BYTES_MIN ? tryStart(workerFile) : null;
  const take = (): RenderLines | null => {
    const taken = lines;
    lines = null;
    return taken;
  };
  return { take, close: async () => take()?.close() };
};

/** What cannot be looked at is told of by who opens it. */
const sizeOf = (database: string): number => {
  try {
    return statSync(database).size;
  } catch {
    return 0;
  }
};

/** Where the system gives no thread, the build will say so when it needs one. */
const tryStart = (workerFile: string | null): RenderLines | null => {
  if (workerFile === null) return null;
  try {
    return startRenderLines(workerFile);
  } catch {
    return null;
  }
};
