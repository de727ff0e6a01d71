// Work on many members, as people read of it.
import { counted, shown } from '../../../base/text/counted.ts';
import type { BulkJob } from './bulk-jobs.ts';

const WORK = { import: 'imported', edit: 'edited', delete: 'deleted' } as const;

/** How far it is, without what ends a sentence. */
const progressOf = ({ kind, members_done, members_total }: BulkJob): string =>
  `${shown(members_done)} of ${counted(members_total, 'member')} ${members_total === 1 ? 'was' : 'were'} ${WORK[kind]}`;

/** How far it is, as a sentence. `isServed`: a server runs, which goes on with it. */
export const describeJob = (job: BulkJob, { isServed = false } = {}): string => {
  const how = progressOf(job);
  if (job.state === 'failed') return `${how}, then the work stopped: ${job.error}`;
  if (job.state === 'done') return `${how}.`;
  return isServed
    ? `${how} so far.`
    : `${how}. A server, or the next import of members, does the rest.`;
};
