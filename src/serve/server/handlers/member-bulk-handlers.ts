// Members in bulk, as Ghost's clients ask for it: import and export of a CSV, and edits and deletes of those that a
// filter chooses.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { invalid, PrepressError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { NAME_CHARACTERS_MAX } from '../../../base/limits.ts';
import { counted } from '../../../base/text/counted.ts';
import { createTimestampFormatter } from '../../../publication/documents/timestamps.ts';
import { importReportOf } from '../../../publication/import/members-csv/members-csv.ts';
import { findSetting } from '../../../publication/store/content/settings.ts';
import {
  type BulkJob,
  getJob,
  readCounts,
  readJournal,
} from '../../../publication/store/members/bulk-jobs.ts';
import { describeJob } from '../../../publication/store/members/describe-job.ts';
import { findLabelByName } from '../../../publication/store/members/labels.ts';
import { readSelection } from '../../admin/list-query.ts';
import { selectMembers } from '../../admin/members/bulk-members.ts';
import { READABLES } from '../../admin/offers/read-resources.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import { uploadExtras } from '../member-jobs/member-job.ts';
import { createMemberJobs, type MemberJobs } from '../member-jobs/member-jobs.ts';
import type { ServerDeps } from '../server-deps.ts';
import { type Call, type Handlers, Sent } from './handler.ts';
import { receive } from './upload-handlers.ts';

type BulkHandlers = Pick<
  Handlers['members'],
  'POST /upload/' | 'GET /upload/' | 'PUT /bulk/' | 'GET /bulk/{id}/' | 'DELETE /'
>;

/** It begins and ends with the server. */
export const openMemberJobs = (
  app: FastifyInstance,
  { context, publisher }: Pick<ServerDeps, 'context' | 'publisher'>,
): MemberJobs => {
  let isClosing = false;
  const jobs = createMemberJobs(context.store, {
    onRun: publisher.wake,
    onError: (error) => {
      if (!isClosing) app.log.error(error, 'bulk work on members stopped');
    },
  });
  app.addHook('onReady', async () => jobs.watch());
  app.addHook('onClose', () => {
    isClosing = true;
    return jobs.close();
  });
  return jobs;
};

export const memberBulkHandlers = (deps: ServerDeps, jobs: MemberJobs): BulkHandlers => {
  const { context, uploads } = deps;
  const selected = ({ list, value }: Call, nowMs: number) =>
    selectMembers({ ...list, all: value('all') }, nowMs);
  return {
    'POST /upload/': (_call, { request }) =>
      receiveCsv(request, deps, async ({ labels, ...csv }) => {
        const nowMs = context.clock.now();
        const importLabel = await nameImport(deps, nowMs);
        const all = [...labels, importLabel];
        const job = { does: 'import', nowMs, ...csv, labels: all, importLabel } as const;
        return answerJob(context, await jobs.begin(job));
      }),
    'GET /upload/': async ({ list: { filter, search, limit } }, { reply }) => {
      const nowMs = context.clock.now();
      const query = { ...readSelection({ filter, search }, nowMs), limit: readLimit(limit) };
      makeFolder(uploads.folder, { isPrivate: true });
      const file = join(uploads.folder, randomBytes(12).toString('hex'));
      try {
        await jobs.exportCsv({ does: 'export', file, query });
        const date = new Date(nowMs).toISOString().slice(0, 10);
        return await sendCsv(reply, file, `members.${date}.csv`);
      } finally {
        rmSync(file, { force: true });
      }
    },
    'GET /bulk/{id}/': async ({ id }) => showJob(context, await getJob(context.store, id)),
    'PUT /bulk/': async (call) => {
      const nowMs = context.clock.now();
      const selection = selected(call, nowMs);
      const job = { does: 'edit', nowMs, selection, input: call.input } as const;
      return answerJob(context, await jobs.begin(job));
    },
    'DELETE /': async (call) => {
      const nowMs = context.clock.now();
      const selection = selected(call, nowMs);
      return answerJob(context, await jobs.begin({ does: 'delete', nowMs, selection }));
    },
  };
};

type Csv = {
  readonly file: string;
  readonly name: string;
  readonly mapping: Readonly<Record<string, string>> | undefined;
  readonly labels: readonly string[];
};

const receiveCsv = <T>(
  request: FastifyRequest,
  { config, uploads }: ServerDeps,
  use: (csv: Csv) => Promise<T>,
): Promise<T> => {
  const megabytes = config['uploads.fileMegabytesMax'];
  const limits = { folder: uploads.folder, kind: 'files', megabytes, part: 'membersfile' } as const;
  return receive(request, limits, async ({ file, entries }) => {
    const labels = entries
      .filter(([name]) => /^labels(?:\[\d*\])?$/.test(name))
      .map(([, label]) => label.trim())
      .filter((label) => label !== '');
    if (labels.some((label) => label.length > NAME_CHARACTERS_MAX || label.includes('\0'))) {
      const sentence = `A label is a name of at most ${NAME_CHARACTERS_MAX} characters.`;
      throw invalid('labels', sentence);
    }
    const mapped = entries.flatMap(([name, column]): [string, string][] =>
      name.startsWith('mapping[') && name.endsWith(']')
        ? [
            [
              name
                .slice(8, -1)
                .replace(/^\ufeff/, '')
                .trim(),
              column,
            ],
          ]
        : [],
    );
    const mapping = mapped.length === 0 ? undefined : Object.fromEntries(mapped);
    return use({ ...file, mapping, labels });
  });
};

/** Those of an import can be found by it, as in Ghost; its time is the site's. */
const nameImport = async ({ context }: ServerDeps, nowMs: number): Promise<string> => {
  const timezone = (await findSetting(context.store, 'timezone')) || 'Etc/UTC';
  const at = createTimestampFormatter(timezone)(nowMs);
  return `Import ${at.slice(0, 16).replace('T', ' ')}`;
};

/** As Ghost's: a number, or everything. Throws VALIDATION. */
const readLimit = (text: string | undefined): number | null => {
  if (text === undefined || text === '' || text === 'all') return null;
  const limit = Number(text);
  if (/^\d{1,9}$/.test(text) && limit > 0) return limit;
  throw invalid('limit', 'limit must be a number from 1, or "all".');
};

/** The file has no name any more, so that nothing of it stays. */
const sendCsv = async (reply: FastifyReply, file: string, name: string): Promise<FastifyReply> => {
  const handle = await open(file);
  rmSync(file, { force: true });
  const { size } = await handle.stat();
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(handle.createReadStream());
};

const showJob = async (context: UseCaseContext, job: BulkJob) => ({
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
const answerJob = async (context: UseCaseContext, job: BulkJob): Promise<Sent> => {
  if (job.state === 'failed') throw new PrepressError('BULK_HALF_DONE', describeJob(job));
  if (job.state === 'done') return new Sent(await outcomeOf(context, job));
  const size = job.kind === 'import' ? { meta: { originalImportSize: linesOf(job) } } : {};
  const location = `members/bulk/${job.id}/`;
  return new Sent({ job: await showJob(context, job), ...size }, { status: 202, location });
};

const linesOf = (job: BulkJob): number => importReportOf(job).tables.members?.read ?? 0;

const PASSED = 'passed over: saved meanwhile, and no longer chosen by the filter.';

const outcomeOf = async (context: UseCaseContext, job: BulkJob): Promise<object> => {
  if (job.kind === 'import') return { meta: await importMeta(context, job) };
  const { passed = 0 } = readCounts(job);
  const stats = { successful: job.members_total - passed, unsuccessful: passed };
  const errors = passed === 0 ? [] : [`${counted(passed, 'member')} ${PASSED}`];
  if (job.kind === 'delete') return { meta: { stats, unsuccessfulIds: [], errors } };
  const { action } = readJournal(z.object({ action: z.string() }), job.report);
  return { bulk: { action, meta: { stats, errors, unsuccessfulData: [] } } };
};

const importMeta = async (context: UseCaseContext, job: BulkJob): Promise<object> => {
  const { importLabel, refused, unlisted } = readJournal(uploadExtras, job.report);
  const { warnings, tables } = importReportOf(job);
  const { added = 0, changed = 0, unchanged = 0 } = tables.members ?? {};
  // Not the lines of the work: a refused one that says that its reader left is among them.
  const imported = added + changed + unchanged;
  return {
    stats: { imported, invalid: refused },
    originalImportSize: linesOf(job),
    import_label: imported === 0 ? null : await showLabel(context, importLabel),
    ...(unlisted > 0 && { invalid_unlisted: unlisted }),
    ...(warnings.length > 0 && { warnings }),
  };
};

const showLabel = async (context: UseCaseContext, name: string): Promise<unknown> => {
  const label = await findLabelByName(context.store, name);
  if (label === undefined) return null;
  return READABLES.labels.read(context, { column: 'id', value: label.id, include: [] });
};
