// The journal of work on many members. What is to be done with each member is kept first, a line each, and changes
// nothing. Then small parts do it, each one transaction that removes its lines, so other writers pass between parts and
// a program that was killed leaves work that any other goes on with. All parts are one action.
import { dirname, join } from 'node:path';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { PrepressError } from '../../../base/errors.ts';
import { asKnownError } from '../../../base/sqlite/database-fault.ts';
import { takeLock, waitForLock } from '../../../base/sqlite/lock-file.ts';
import { parseStored } from '../../../base/stored-json.ts';
import type { BulkJobsTable } from '../../tables/pipeline.ts';
import { chunksOfPart, letOthersWrite, writeParts } from '../bulk-parts.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { refuseWhileFollowing } from '../import/following.ts';
import type { Store } from '../store.ts';

export type BulkJob = Selectable<BulkJobsTable>;

export type NewJob = Pick<BulkJob, 'id' | 'kind'> & {
  /** What is done with a line, and what is known already: what JSON holds. */
  readonly change: object;
  readonly report: object;
  readonly nowMs: number;
};

export const actionOf = (jobId: string): string => `bulk:${jobId}`;

/** Lines that are kept in one transaction: they are kept much faster than done. */
export const KEPT_LINES_MAX = 2_000;

const KEPT_MS = 24 * 60 * 60 * 1000;

const readersOf = ({ path }: Store): string => join(dirname(path), 'reading.lock.db');

/** Drops work that was never kept whole, unless somebody keeps some now: whoever began it was killed. */
export const dropHalfKept = async (store: Store): Promise<void> => {
  const halfKept = await db(store)
    .selectFrom('bulk_jobs')
    .select('id')
    .where('state', '=', 'reading')
    .execute();
  if (halfKept.length === 0) return;
  const lock = takeLock(readersOf(store), 'alone');
  if (lock === null) return;
  try {
    for (const { id } of halfKept) await dropLines(store, id);
    await store.write((tx) =>
      db(tx).deleteFrom('bulk_jobs').where('state', '=', 'reading').execute(),
    );
  } finally {
    lock.release();
  }
};

/** Whoever drops a million lines lets others write between its parts. */
const DROP_MS_MAX = 120_000;

/** Lines that are dropped in one transaction. */
const DROPPED_LINES = 10_000;

/** The last ones first. */
const dropLines = async (store: Store, jobId: string): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await store.write((tx) =>
      sql`DELETE FROM bulk_lines WHERE job_id = ${jobId} AND seq > ${-DROPPED_LINES} +
        (SELECT max(seq) FROM bulk_lines WHERE job_id = ${jobId})`.execute(db(tx)),
    );
    if (numAffectedRows < DROPPED_LINES) return;
    await letOthersWrite();
  }
};

/** Keeps work with its lines, so that it can be run. Drops what ended a day before, and what was never kept whole. */
export const keepJob = async (
  store: Store,
  job: NewJob,
  batches: Iterable<readonly string[]>,
): Promise<void> => {
  await dropHalfKept(store);
  const presence = await waitForLock(readersOf(store), 'shared', { timeoutMs: DROP_MS_MAX });
  if (presence === null)
    throw new PrepressError('DATABASE_BUSY', 'Another program drops unfinished work on members.');
  try {
    await keepWhole(store, job, batches);
  } finally {
    presence.release();
  }
};

const keepWhole = async (
  store: Store,
  { nowMs, change, report, ...job }: NewJob,
  batches: Iterable<readonly string[]>,
): Promise<void> => {
  const failed = await db(store)
    .selectFrom('bulk_jobs')
    .select('id')
    .where('state', '=', 'failed')
    .where('created_at', '<', nowMs - KEPT_MS)
    .execute();
  for (const { id } of failed) await dropLines(store, id);
  await store.write(async (tx) => {
    await db(tx)
      .deleteFrom('bulk_jobs')
      .where('state', '<>', 'running')
      .where('created_at', '<', nowMs - KEPT_MS)
      .execute();
    const texts = { change: JSON.stringify(change), report: JSON.stringify(report) };
    await db(tx)
      .insertInto('bulk_jobs')
      .values({ ...job, ...texts, state: 'reading', created_at: nowMs })
      .execute();
  });
  let total = 0;
  for (const batch of batches) {
    await store.write(
      (tx) =>
        sql`INSERT INTO bulk_lines (job_id, seq, text)
          SELECT ${job.id}, ${total} + key, value FROM json_each(${JSON.stringify(batch)})`.execute(
          db(tx),
        ),
      { mayBeLost: true },
    );
    total += batch.length;
    await letOthersWrite();
  }
  await store.write((tx) =>
    db(tx)
      .updateTable('bulk_jobs')
      .set({
        members_total: total,
        ...(total === 0 ? { state: 'done', ended_at: nowMs } : { state: 'running' }),
      })
      .where('id', '=', job.id)
      .execute(),
  );
};

/** Throws NOT_FOUND. */
export const getJob = async (from: Queryable, id: string): Promise<BulkJob> => {
  const job = await db(from)
    .selectFrom('bulk_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (job !== undefined) return job;
  throw new PrepressError('NOT_FOUND', 'There is no such work, or it ended over a day ago.');
};

/** Unfinished work, the oldest first: it is done in this order. */
export const listUnfinishedJobs = (from: Queryable): Promise<BulkJob[]> =>
  db(from)
    .selectFrom('bulk_jobs')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy(sql`rowid`)
    .execute();

/** What people should know: unfinished work, and work that failed within a day. */
export const listOpenJobs = (from: Queryable, nowMs: number): Promise<BulkJob[]> =>
  db(from)
    .selectFrom('bulk_jobs')
    .selectAll()
    .where((where) =>
      where.or([
        where('state', '=', 'running'),
        where.and([where('state', '=', 'failed'), where('created_at', '>', nowMs - KEPT_MS)]),
      ]),
    )
    .orderBy(sql`rowid`)
    .execute();

/** Numbers by what they count. */
const numbers = z.record(z.string(), z.number()).readonly();
export type Counts = z.output<typeof numbers>;

export const readCounts = ({ counts }: Pick<BulkJob, 'counts'>): Counts =>
  parseStored(numbers, counts, 'What work on members counted');

/** What the journal keeps of work beside its counts. Throws DATABASE_ALTERED. */
export const readJournal = <T>(schema: z.ZodType<T>, text: string): T =>
  parseStored(schema, text, 'The journal of work on members');

/** Does lines, none of which was done before, until no more are given. */
export type LineWork = (tx: Transaction, chunks: Iterable<readonly string[]>) => Promise<Counts>;

type RunOptions = {
  readonly work: LineWork;
  readonly onPart?: ((job: BulkJob) => void) | undefined;
  readonly clock?: Clock;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
};

/** Lines that a part may do. */
const PART_LINES_MAX = 1_000;

/**
 * Does the lines that remain. A line that cannot be done ends the work, which is then failed and says so. Throws
 * what is wrong with the database; then the work is as it was before the part, and can be run again.
 */
export const runJob = async (store: Store, id: string, options: RunOptions): Promise<void> => {
  let job = await getJob(store, id);
  if (job.state !== 'running') return;
  await writeParts(async (partMs) => {
    job = await writePart(store, job, { ...options, partMs });
    options.onPart?.(job);
    return job.state === 'running';
  }, options.now);
};

type PartOptions = RunOptions & { readonly partMs: number };

const writePart = async (store: Store, job: BulkJob, part: PartOptions): Promise<BulkJob> => {
  const { id, members_total, members_done } = job;
  // What is lost is done again; the last part makes all before it durable.
  const mayBeLost = members_total - members_done > PART_LINES_MAX;
  for (;;) {
    try {
      const options = { action: actionOf(id), mayBeLost };
      return await store.write((tx) => doPart(tx, id, part), options);
    } catch (cause) {
      const error = asKnownError(cause);
      const code = error instanceof PrepressError ? error.code : '';
      // Another program writes for long. A file that was replaced does not come back.
      if (code === 'DATABASE_BUSY' && store.dataVersion() >= 0) continue;
      if (code.startsWith('DATABASE_')) throw error;
      const failed = await store.write((tx) => failJob(tx, id, { error, ...part }));
      // What is left of them goes with the work, a day later.
      await dropLines(store, id).catch(() => undefined);
      return failed;
    }
  }
};

const doPart = async (
  tx: Transaction,
  id: string,
  { work, partMs, clock = systemClock, now = () => performance.now() }: PartOptions,
): Promise<BulkJob> => {
  const startedMs = now();
  const job = await getJob(tx, id);
  if (job.state !== 'running') return job;
  await refuseWhileFollowing(tx);
  const found = await db(tx)
    .selectFrom('bulk_lines')
    .select(['seq', 'text'])
    .where('job_id', '=', id)
    .orderBy('seq')
    .limit(PART_LINES_MAX)
    .execute();
  let taken = 0;
  function* chunks(): Generator<readonly string[]> {
    for (const chunk of chunksOfPart(found, { startedMs, partMs, now })) {
      taken += chunk.length;
      yield chunk.map(({ text }) => text);
    }
  }
  const counts = await work(tx, chunks());
  const last = found[taken - 1]?.seq ?? -1;
  await db(tx).deleteFrom('bulk_lines').where('job_id', '=', id).where('seq', '<=', last).execute();
  const done = job.members_done + taken;
  const isEnd = done === job.members_total || taken === 0;
  return updateJob(tx, id, {
    members_done: done,
    counts: JSON.stringify(sum(readCounts(job), counts)),
    ...(isEnd && { state: 'done', ended_at: clock.now() }),
  });
};

const sum = (before: Counts, more: Counts): Counts => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(more).map(([name, count]) => [name, (before[name] ?? 0) + count]),
  ),
});

const failJob = (
  tx: Transaction,
  id: string,
  { error, clock = systemClock }: { readonly error: unknown; readonly clock?: Clock },
): Promise<BulkJob> => {
  const { message } = error as Error;
  return updateJob(tx, id, { state: 'failed', error: message, ended_at: clock.now() });
};

const updateJob = (tx: Transaction, id: string, changes: Partial<BulkJob>): Promise<BulkJob> =>
  db(tx)
    .updateTable('bulk_jobs')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
