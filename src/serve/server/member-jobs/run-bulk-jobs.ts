// Does all work on many members that is unfinished, the oldest first, whoever began it.
import { releasing } from '../../../base/closing.ts';
import { importChange, importWork } from '../../../publication/import/members-csv/members-csv.ts';
import { acquireBulkLock } from '../../../publication/store/locks/bulk-lock.ts';
import {
  type BulkJob,
  type LineWork,
  listUnfinishedJobs,
  readJournal,
  runJob,
} from '../../../publication/store/members/bulk-jobs.ts';
import type { Store } from '../../../publication/store/store.ts';
import { bulkChange, bulkWork } from '../../admin/members/bulk-members.ts';

/** Waits while another program does some. `onPart` learns of each part of any work. Throws what runJob throws. */
export const runBulkJobs = async (store: Store, onPart?: (job: BulkJob) => void): Promise<void> => {
  const lock = await acquireBulkLock(store);
  await releasing(lock, async () => {
    for (;;) {
      const [job] = await listUnfinishedJobs(store);
      if (job === undefined) return;
      await runJob(store, job.id, { work: workOf(job), onPart });
    }
  });
};

const workOf = ({ kind, change }: BulkJob): LineWork =>
  kind === 'import'
    ? importWork(readJournal(importChange, change))
    : bulkWork(readJournal(bulkChange, change));
