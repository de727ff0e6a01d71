// Runs jobs with many members, one at a time, each on a thread of its own: it would hold up every other request for
// seconds. Meanwhile other writes of this program wait. Where no thread can be had, the job runs here.
import { Worker } from 'node:worker_threads';
import { PrepressError } from '../../base/errors.ts';
import { answerOfThread } from '../../base/thread-answer.ts';
import { findBundledWorker } from '../../emit/bundled-worker.ts';
import type { Store } from '../../store/store.ts';
import { type JobResult, type MemberJob, runMemberJob } from './member-job.ts';
import type { JobAnswer } from './member-job-worker.ts';

export type MemberJobs = {
  /** Throws what runMemberJob throws. */
  readonly run: (job: MemberJob) => Promise<JobResult>;
  /** Ends what runs, whose transaction is undone, and what waits: it throws DATABASE_BUSY. */
  readonly close: () => Promise<void>;
};

export const createMemberJobs = (
  store: Store,
  workerFile = findBundledWorker('member-job-worker'),
): MemberJobs => {
  let last: Promise<unknown> = Promise.resolve();
  let thread: Worker | null = null;
  let isClosed = false;
  const start = async (job: MemberJob): Promise<JobResult> => {
    if (isClosed) throw new PrepressError('DATABASE_BUSY', 'The server is stopping.');
    if (workerFile === null) return runMemberJob(store, job);
    const ask = async (): Promise<JobResult> => {
      const worker = new Worker(workerFile, { workerData: { path: store.path, job } });
      thread = worker;
      const answer = await answerOfThread<JobAnswer>(worker);
      if ('result' in answer) return answer.result;
      const { code, message, ...extras } = answer;
      throw new PrepressError(code, message, {
        ...(extras.property !== null && { property: extras.property }),
        ...(extras.context !== null && { context: extras.context }),
      });
    };
    return job.does === 'export' ? ask() : store.lendWriter(ask);
  };
  return {
    run: (job) => {
      const running = last.then(() => start(job));
      last = running.catch(() => undefined);
      return running;
    },
    close: async () => {
      isClosed = true;
      await thread?.terminate();
    },
  };
};
