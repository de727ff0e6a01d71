// What clients are told of work on many members: its outcome, as Ghost's clients expect it, or how far it is.
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import { importReportOf } from '../../../publication/import/members-csv/members-csv.ts';
import {
  type BulkJob,
  describeJob,
  readJournal,
} from '../../../publication/store/members/bulk-jobs.ts';
import { findLabelByName } from '../../../publication/store/members/labels.ts';
import { readReadable } from '../../admin/offers/offerings.ts';
import { uploadExtras } from '../member-jobs/member-job.ts';
import type { ServerDeps } from '../ports.ts';
import { adminBase } from './admin-base.ts';

export type JobAnswers = {
  /** The outcome with `status`, or 202 and the address of work that is not done. Throws BULK_HALF_DONE. */
  readonly send: (reply: FastifyReply, job: BulkJob, status: number) => Promise<object>;
  readonly show: (job: BulkJob) => Promise<object>;
};

export const createJobAnswers = (deps: ServerDeps): JobAnswers => {
  const show = async (job: BulkJob): Promise<object> => ({
    id: job.id,
    kind: job.kind,
    state: job.state,
    members_total: job.members_total,
    members_done: job.members_done,
    error: job.state === 'failed' ? describeJob(job) : null,
    created_at: new Date(job.created_at).toISOString(),
    ended_at: job.ended_at === null ? null : new Date(job.ended_at).toISOString(),
    result: job.state === 'done' ? await outcomeOf(deps, job) : null,
  });
  return {
    show,
    send: async (reply, job, status) => {
      if (job.state === 'failed') throw new PrepressError('BULK_HALF_DONE', describeJob(job));
      if (job.state === 'done') {
        reply.code(status);
        return outcomeOf(deps, job);
      }
      reply
        .code(202)
        .header('location', `${adminBase(deps, reply.request)}/members/bulk/${job.id}/`);
      const size = job.kind === 'import' ? { originalImportSize: linesOf(job) } : undefined;
      return { job: await show(job), ...(size !== undefined && { meta: size }) };
    },
  };
};

const linesOf = (job: BulkJob): number => importReportOf(job).tables.members?.read ?? 0;

const outcomeOf = async (deps: ServerDeps, job: BulkJob): Promise<object> => {
  if (job.kind === 'import') return { meta: await importMeta(deps, job) };
  const stats = { successful: job.members_total, unsuccessful: 0 };
  if (job.kind === 'delete') return { meta: { stats, unsuccessfulIds: [], errors: [] } };
  const { action } = readJournal(z.object({ action: z.string() }), job.report);
  return { bulk: { action, meta: { stats, errors: [], unsuccessfulData: [] } } };
};

const importMeta = async (deps: ServerDeps, job: BulkJob): Promise<object> => {
  const { importLabel, refused, unlisted } = readJournal(uploadExtras, job.report);
  const { warnings } = importReportOf(job);
  const isEmpty = job.members_total === 0;
  return {
    stats: { imported: job.members_total, invalid: refused },
    originalImportSize: linesOf(job),
    import_label: isEmpty ? null : await showLabel(deps, importLabel),
    ...(unlisted > 0 && { invalid_unlisted: unlisted }),
    ...(warnings.length > 0 && { warnings }),
  };
};

const showLabel = async ({ context }: ServerDeps, name: string): Promise<unknown> => {
  const label = await findLabelByName(context.store.reader, name);
  if (label === undefined) return null;
  return readReadable(context, { resource: 'labels', column: 'id', value: label.id, include: [] });
};
