// What clients are told of work on many members: its outcome, as Ghost's clients expect it, or how far it is.
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import { importReportOf } from '../../../publication/import/members-csv/members-csv.ts';
import {
  type BulkJob,
  describeJob,
  readJournal,
} from '../../../publication/store/members/bulk-jobs.ts';
import { findLabelByName } from '../../../publication/store/members/labels.ts';
import { readReadable } from '../../admin/offers/read-resources.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import { uploadExtras } from '../member-jobs/member-job.ts';
import { Sent } from './handler.ts';

export const showJob = async (context: UseCaseContext, job: BulkJob) => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  members_total: job.members_total,
  members_done: job.members_done,
  error: job.state === 'failed' ? describeJob(job) : null,
  created_at: new Date(job.created_at).toISOString(),
  ended_at: job.ended_at === null ? null : new Date(job.ended_at).toISOString(),
  result: job.state === 'done' ? await outcomeOf(context, job) : null,
});

/** The outcome, or 202 and the address of work that is not done. Throws BULK_HALF_DONE. */
export const answerJob = async (context: UseCaseContext, job: BulkJob): Promise<Sent> => {
  if (job.state === 'failed') throw new PrepressError('BULK_HALF_DONE', describeJob(job));
  if (job.state === 'done') return new Sent(await outcomeOf(context, job));
  const size = job.kind === 'import' ? { meta: { originalImportSize: linesOf(job) } } : {};
  const location = `members/bulk/${job.id}/`;
  return new Sent({ job: await showJob(context, job), ...size }, { status: 202, location });
};

const linesOf = (job: BulkJob): number => importReportOf(job).tables.members?.read ?? 0;

const outcomeOf = async (context: UseCaseContext, job: BulkJob): Promise<object> => {
  if (job.kind === 'import') return { meta: await importMeta(context, job) };
  const stats = { successful: job.members_total, unsuccessful: 0 };
  if (job.kind === 'delete') return { meta: { stats, unsuccessfulIds: [], errors: [] } };
  const { action } = readJournal(z.object({ action: z.string() }), job.report);
  return { bulk: { action, meta: { stats, errors: [], unsuccessfulData: [] } } };
};

const importMeta = async (context: UseCaseContext, job: BulkJob): Promise<object> => {
  const { importLabel, refused, unlisted } = readJournal(uploadExtras, job.report);
  const { warnings } = importReportOf(job);
  const isEmpty = job.members_total === 0;
  return {
    stats: { imported: job.members_total, invalid: refused },
    originalImportSize: linesOf(job),
    import_label: isEmpty ? null : await showLabel(context, importLabel),
    ...(unlisted > 0 && { invalid_unlisted: unlisted }),
    ...(warnings.length > 0 && { warnings }),
  };
};

const showLabel = async (context: UseCaseContext, name: string): Promise<unknown> => {
  const label = await findLabelByName(context.store, name);
  if (label === undefined) return null;
  return readReadable(context, { resource: 'labels', column: 'id', value: label.id, include: [] });
};
