// Runs what is done with many members, each on a thread of its own: it would hold up every other request for seconds. One
// thread at a time reads and plans, and beside it one does what was planned. Where no thread can be had, it runs here.
import { PrepressError } from '../../../base/errors.ts';
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { BULK_WAITED_MEMBERS_MAX } from '../../../base/limits.ts';
import { findBundledWorker, runOnThread } from '../../../base/threads/thread.ts';
import {
  type BulkJob,
  dropHalfKept,
  getJob,
  listUnfinishedJobs,
} from '../../../publication/store/members/bulk-jobs.ts';
import type { Store } from '../../../publication/store/store.ts';
import type { MembersRequest } from '../job-worker.ts';
import { type MemberJob, type PlannedJob, runMemberJob } from './member-job.ts';

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
  /** Ends what runs; planned work stays for the next start. What runs or waits throws DATABASE_BUSY. */
  readonly close: () => Promise<void>;
};

type JobsOptions = {
  /** Something was done. */
  readonly onRun: () => void;
  /** Takes why work stopped that nobody waits for. It is gone on with later. */
  readonly onError: (error: unknown) => void;
  readonly workerFile?: string | null;
  readonly retryMs?: number;
};

const LOOK_MS = 1_000;
/** What stopped, such as on a full disk, is tried again after so long, whether or not anything was saved. */
const RETRY_MS = 5_000;

export const createMemberJobs = (
  store: Store,
  { onRun, onError, workerFile = findBundledWorker('job-worker'), retryMs = RETRY_MS }: JobsOptions,
): MemberJobs => {
  const ending = new AbortController();
  const { signal } = ending;
  const run = async (job: MemberJob): Promise<string | null> => {
    signal.throwIfAborted();
    if (workerFile === null) return runMemberJob(store, job);
    return runOnThread<MembersRequest, string | null>(
      workerFile,
      { path: store.path, postgres: store.postgres, job },
      { signal },
    );
  };
  const [read, write] = [limitConcurrency(1), limitConcurrency(1)];
  let runs = 0;
  let failedMs: number | null = null;
  const runPlanned = async (): Promise<void> => {
    runs += 1;
    try {
      await write(() => run({ does: 'run' }));
      failedMs = null;
    } catch (error) {
      failedMs = performance.now();
      throw error;
    } finally {
      runs -= 1;
      onRun();
    }
  };
  let seenVersion = -1;
  const look = async (): Promise<void> => {
    // What runs now does all that is planned.
    if (runs > 0 || !store.leads()) return;
    if (failedMs !== null && performance.now() - failedMs < retryMs) return;
    try {
      const version = store.dataVersion();
      if (version === seenVersion && failedMs === null) return;
      seenVersion = version;
      // Another program may be at work: the run waits until that ends.
      if ((await listUnfinishedJobs(store)).length > 0) await runPlanned();
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
      const unfinished = await listUnfinishedJobs(store);
      const members = unfinished.map((each) => each.members_total - each.members_done);
      const ended = runPlanned();
      if (members.reduce((sum, count) => sum + count, 0) <= BULK_WAITED_MEMBERS_MAX) await ended;
      else ended.catch(onError);
      return getJob(store, id ?? '');
    },
    watch: () => {
      looking = setInterval(look, LOOK_MS);
      const dropped = store.leads() ? dropHalfKept(store) : Promise.resolve();
      void dropped.catch(onError).then(look);
    },
    close: async () => {
      clearInterval(looking);
      ending.abort(new PrepressError('DATABASE_BUSY', 'The server is stopping.'));
      await Promise.all([read(nothing), write(nothing)]);
    },
  };
};

const nothing = async (): Promise<void> => undefined;
