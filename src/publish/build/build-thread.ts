// A build in a thread of its own, for a program that answers others meanwhile. The thread starts for one build and ends
// with it, which gives its memory back.
import { existsSync, realpathSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { unpackError } from '../../base/threads/thread-error.ts';
import { removeReplaced } from '../output/session/replaced-files.ts';
import type { BuildAnswer, BuildRequest, BuildTask } from './build-worker.ts';
import type { BuildProgress, BuildReport } from './run-build.ts';

export type BuildThread = {
  /** Opens its snapshot. */
  readonly open: (databasePath: string) => Promise<void>;
  /** Throws what runBuild throws. */
  readonly run: (
    task: BuildTask,
    onProgress?: (progress: BuildProgress) => void,
  ) => Promise<BuildReport>;
  readonly close: () => Promise<void>;
};

export type BuildThreadFiles = {
  /** The bundled worker. */
  readonly buildWorker: string;
  /** That of threads that render; null: the build's own thread renders. */
  readonly renderWorker: string | null;
};

/** Resolves when the thread runs. Rejects where the system gives none. */
export const startBuildThread = async ({
  buildWorker,
  renderWorker,
}: BuildThreadFiles): Promise<BuildThread> => {
  const worker = new Worker(buildWorker, { workerData: { renderWorker } });
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  const ask = (request: BuildRequest, onProgress?: (progress: BuildProgress) => void) => {
    const answered = answerOf(worker, onProgress);
    worker.postMessage(request);
    return answered;
  };
  try {
    await answerOf(worker);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    open: async (databasePath) => {
      await ask({ kind: 'open', databasePath });
    },
    run: async (task, onProgress) => {
      try {
        const answer = await ask({ kind: 'run', task }, onProgress);
        if (answer.kind !== 'built') throw new Error('A build thread answered something else.');
        return answer.report;
      } finally {
        // The thread ends too soon for that.
        const { contentFolder } = task;
        if (existsSync(contentFolder)) removeReplaced(realpathSync(contentFolder), false);
      }
    },
    close,
  };
};

/** The next answer but those of progress. Rejects with what went wrong, also when the thread ends without one. */
const answerOf = (
  worker: Worker,
  onProgress: (progress: BuildProgress) => void = () => undefined,
): Promise<BuildAnswer> =>
  new Promise((resolve, reject) => {
    const onMessage = (answer: BuildAnswer): void => {
      if (answer.kind === 'progress') {
        onProgress(answer.progress);
        return;
      }
      settle();
      if (answer.kind === 'failed') reject(unpackError(answer.error));
      else resolve(answer);
    };
    const onError = (error: unknown): void => {
      settle();
      reject(error);
    };
    const onExit = (): void => onError(new Error('A build thread ended.'));
    const settle = (): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
