// Runs what is done with many members, each on a thread of its own: it would hold up every other request for seconds. One
// thread at a time reads and plans, and beside it one does what was planned. Where no thread can be had, it runs here.
import { Worker } from 'node:worker_threads';
import { PrepressError } from '../../../base/errors.ts';
import { BULK_WAITED_MEMBERS_MAX } from '../../../base/limits.ts';
import { findBundledWorker } from '../../../base/threads/bundled-worker.ts';
import { answerOfThread } from '../../../base/threads/thread-answer.ts';
import {
  type BulkJob,
  getJob,
  listUnfinishedJobs,
} from '../../../publication/store/members/bulk-jobs.ts';
import type { Store } from '../../../publication/store/store.ts';
import { type MemberJob, type PlannedJob, runMemberJob } from './member-job.ts';
import type { JobAnswer } from './member-job-worker.ts';

export type MemberJobs = {
  /** Throws what runMemberJob throws. */
  readonly exportCsv: (job: Extract<MemberJob, { readonly does: 'export' }>) => Promise<void>;
  /**
   * Plans work, begins it, and answers it at its end, or at once where it and the work before it take long. Throws what
   * runMemberJob throws.
   */
  readonly begin: (job: PlannedJob) => Promise<BulkJob>;
  /** From now on, goes on with what a server or command left unfinished when it ended. */
  readonly watch: () => void;
  /** Ends what runs; planned work stays for the next start. What waits throws DATABASE_BUSY. */
  readonly close: () => Promise<void>;
};

type JobsOptions = {
  /** Something was done. */
  readonly onRun: () => void;
  /** Takes why work stopped that nobody waits for. It is gone on with later. */
  readonly onError: (error: unknown) => void;
  readonly workerFile?: string | null;
};

const LOOK_MS = 1_000;

export const createMemberJobs = (
  store: Store,
  { onRun, onError, workerFile = findBundledWorker('member-job-worker') }: JobsOptions,
): MemberJobs => {
  const threads = new Set<Worker>();
  let isClosed = false;
  const run = async (job: MemberJob): Promise<string | null> => {
    if (isClosed) throw new PrepressError('DATABASE_BUSY', 'The server is stopping.');
    if (workerFile === null) return runMemberJob(store, job);
    const worker = new Worker(workerFile, { workerData: { path: store.path, job } });
    threads.add(worker);
    try {
      const answer = await answerOfThread<JobAnswer>(worker);
      if ('planned' in answer) return answer.planned;
      throw errorOf(answer);
    } finally {
      threads.delete(worker);
    }
  };
  const [read, write] = [createQueue(), createQueue()];
  let runs = 0;
  const runPlanned = (): Promise<unknown> => {
    runs += 1;
    return write(() => run({ does: 'run' })).finally(() => {
      runs -= 1;
      onRun();
    });
  };
  let seenVersion = -1;
  const look = async (): Promise<void> => {
    // What runs now does all that is planned.
    if (runs > 0) return;
    try {
      const version = store.dataVersion();
      if (version === seenVersion) return;
      seenVersion = version;
      // Another program may be at work: the run waits until that ends.
      if ((await listUnfinishedJobs(store.reader)).length > 0) await runPlanned();
    } catch (error) {
      onError(error);
    }
  };
  let looking: NodeJS.Timeout | undefined;
  return {
    exportCsv: async (job) => {
      await read(() => run(job));
    },
    begin: async (job) => {
      const id = await read(() => run(job));
      const unfinished = await listUnfinishedJobs(store.reader);
      const members = unfinished.map((each) => each.members_total - each.members_done);
      const ended = runPlanned();
      if (members.reduce((sum, count) => sum + count, 0) <= BULK_WAITED_MEMBERS_MAX) await ended;
      else ended.catch(onError);
      return getJob(store.reader, id ?? '');
    },
    watch: () => {
      looking = setInterval(look, LOOK_MS);
      void look();
    },
    close: async () => {
      isClosed = true;
      clearInterval(looking);
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
};

const errorOf = ({
  code,
  message,
  ...extras
}: Exclude<JobAnswer, { readonly planned: unknown }>): PrepressError =>
  new PrepressError(code, message, {
    ...(extras.property !== null && { property: extras.property }),
    ...(extras.context !== null && { context: extras.context }),
  });

/** Runs one after the other. */
const createQueue = (): (<T>(run: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const running = last.then(run);
    last = running.catch(() => undefined);
    return running;
  };
};
