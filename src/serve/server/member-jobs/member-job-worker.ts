// The thread of one job with many members: it opens the publication for itself, and ends with its answer.
import { parentPort, workerData } from 'node:worker_threads';
import { PrepressError } from '../../../base/errors.ts';
import { openStore } from '../../../publication/store/open-store.ts';
import { type MemberJob, runMemberJob } from './member-job.ts';

export type JobAnswer =
  | { readonly planned: string | null }
  /** An error of ours: on its way between threads it would lose what it says. */
  | Pick<PrepressError, 'code' | 'message' | 'property' | 'context'>;

const { path, job } = workerData as { readonly path: string; readonly job: MemberJob };

const answer = async (): Promise<JobAnswer> => {
  const store = await openStore(path);
  try {
    return { planned: await runMemberJob(store, job) };
  } catch (error) {
    if (!(error instanceof PrepressError)) throw error;
    const { code, message, property, context } = error;
    return { code, message, property, context };
  } finally {
    await store.close();
  }
};

parentPort?.postMessage(await answer());
