// Work on many members, as people read of it.
import { counted, shown } from '../../../base/text/counted.ts';
import type { BulkJob } from './bulk-jobs.ts';

const WORK = { import: 'imported', edit: 'edited', delete: 'deleted' } as const;

/** How far it is, as a sentence. */
export const describeJob = ({
  kind,
  state,
  members_done,
  members_total,
  error,
}: BulkJob): string => {
  const how = `${shown(members_done)} of ${counted(members_total, 'member')} ${members_total === 1 ? 'was' : 'were'} ${WORK[kind]}`;
  if (state === 'failed') return `${how}, then the work stopped: ${error}`;
  return state === 'done'
    ? `${how}.`
    : `${how}. A server, or the next import of members, does the rest.`;
};
