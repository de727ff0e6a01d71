// A build in a thread of its own, for a program that answers others meanwhile. The thread starts for one build and ends
// with it, which gives its memory back.
import { existsSync, realpathSync } from 'node:fs';
import { startThread } from '../../base/threads/thread.ts';
import { removeReplaced } from '../output/session/replaced-files.ts';
import type { BuildRequest, BuildTask } from './build-worker.ts';
import type { BuildProgress, BuildReport } from './run-build.ts';

export type BuildThread = {
  readonly open: (databasePath: string) => Promise<void>;
  /** Throws what runBuild throws. */
  readonly run: (
    task: BuildTask,
    onProgress?: (progress: BuildProgress) => void,
  ) => Promise<BuildReport>;
  readonly close: () => Promise<void>;
};

export type BuildThreadFiles = {
  readonly buildWorker: string;
  /** That of threads that render; null: the build's own thread renders. */
  readonly renderWorker: string | null;
};

/** Resolves when the thread runs. Rejects where the system gives none. */
export const startBuildThread = async ({
  buildWorker,
  renderWorker,
}: BuildThreadFiles): Promise<BuildThread> => {
  const thread = startThread<BuildRequest, BuildReport | null, BuildProgress>(buildWorker);
  try {
    await thread.ask({ kind: 'start', renderWorker });
  } catch (error) {
    await thread.close();
    throw error;
  }
  return {
    open: async (databasePath) => {
      await thread.ask({ kind: 'open', databasePath });
    },
    run: async (task, onProgress) => {
      try {
        const report = await thread.ask({ kind: 'run', task }, { onNews: onProgress });
        if (report === null) throw new Error('A build thread answered something else.');
        return report;
      } finally {
        // The thread ends too soon for that.
        const { contentFolder } = task;
        if (existsSync(contentFolder)) removeReplaced(realpathSync(contentFolder), false);
      }
    },
    close: thread.close,
  };
};
