// What the publisher keeps in the publication: the position that was announced, the builds that were
// asked for and made, and the posts whose time has come.
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
import { createId } from '../../../base/ids.ts';
import { parseStored } from '../../../base/stored-json.ts';
import { parseStoredTime, toStoredTime } from '../../../base/time.ts';
import type { Position } from '../../snapshot/snapshot.ts';
import { emailOnlyPost } from '../../tables/published-posts.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import type { Store } from '../store.ts';

export type PublishedPosition = Position & { readonly generation: number };

/** The newest state whose deliveries are queued; null when nobody has begun to announce. */
export const findPublishedPosition = async (from: Queryable): Promise<PublishedPosition | null> => {
  const row = await db(from)
    .selectFrom('published_position')
    .select(['epoch', 'seq', 'nonce', 'generation'])
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...row, nonce: row.nonce?.toString('hex').toUpperCase() ?? '' };
};

/**
 * Gives a publication without one its first announced position: what the log holds from here on is news,
 * also while the first build runs.
 */
export const beginAnnouncing = async (store: Store, now: number): Promise<void> => {
  if ((await findPublishedPosition(store)) !== null) return;
  const snapshot = store.snapshot();
  const { epoch, seq, nonce } = snapshot.position();
  snapshot.close();
  await store.write((tx) =>
    db(tx)
      .insertInto('published_position')
      .values({
        id: 1,
        epoch,
        seq,
        nonce: Buffer.from(nonce, 'hex'),
        generation: 0,
        finished_at: now,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),
  );
};

/** Moves the announced position. Its time is the latest that the clock has stamped: see clock-state.ts. */
export const movePublishedPosition = async (
  tx: Transaction,
  position: PublishedPosition,
  now: number,
): Promise<void> => {
  const row = {
    epoch: position.epoch,
    seq: position.seq,
    nonce: Buffer.from(position.nonce, 'hex'),
    generation: position.generation,
  };
  await db(tx)
    .insertInto('published_position')
    .values({ id: 1, ...row, finished_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...row,
        finished_at: sql<number>`max(published_position.finished_at, ${now})`,
      }),
    )
    .execute();
};

/** Nothing here sends mail: at its time an e-mail-only post stays scheduled. */
const IS_EMAIL_ONLY = sql.raw<boolean>(emailOnlyPost('posts'));
const IS_FOR_WEB = sql<boolean>`NOT ${IS_EMAIL_ONLY}`;

type ScheduledPost = HeldPost & { readonly id: string };

/** Those whose time can be read, the one that is due first at the front. */
const listScheduled = async (
  from: Queryable,
  which: RawBuilder<boolean>,
): Promise<ScheduledPost[]> => {
  const rows = await db(from)
    .selectFrom('posts')
    .select(['id', 'type', 'slug', 'published_at'])
    .where('status', '=', 'scheduled')
    .where(which)
    .orderBy('id')
    .execute();
  return rows
    .flatMap(({ published_at, ...post }) => {
      const dueAt = parseStoredTime(published_at);
      return dueAt === null ? [] : [{ ...post, dueAt }];
    })
    .sort((a, b) => a.dueAt - b.dueAt);
};

export const listDuePosts = async (from: Queryable, now: number): Promise<string[]> =>
  (await listScheduled(from, IS_FOR_WEB)).filter(({ dueAt }) => dueAt <= now).map(({ id }) => id);

export type HeldPost = { readonly type: string; readonly slug: string; readonly dueAt: number };

/** Scheduled e-mail-only posts that are due, the oldest first. */
export const listHeldPosts = async (from: Queryable, now: number): Promise<HeldPost[]> =>
  (await listScheduled(from, IS_EMAIL_ONLY)).filter(({ dueAt }) => dueAt <= now);

/** The time of the next scheduled post that the web will show, or null. */
export const findNextDue = async (from: Queryable): Promise<number | null> =>
  (await listScheduled(from, IS_FOR_WEB))[0]?.dueAt ?? null;

/**
 * Sets the status of one post as an action of its own, if it still has the status `from`. It is published only while
 * it is still due: somebody may have scheduled it for later meanwhile, or made it e-mail only.
 */
export const changeStatus = (
  store: Store,
  id: string,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: number },
): Promise<unknown> =>
  store.write(
    async (tx) => {
      const at = toStoredTime(now);
      if (to === 'published') {
        if (!(await isDue(tx, id, now))) return;
        await noteDue(tx, id, at);
      }
      await db(tx)
        .updateTable('posts')
        .set({ status: to, updated_at: at })
        .where('id', '=', id)
        .where('status', '=', from)
        .execute();
    },
    { action: createId(now), asLeader: true },
  );

const isDue = async (tx: Transaction, id: string, now: number): Promise<boolean> =>
  (await listScheduled(tx, sql`id = ${id} AND ${IS_FOR_WEB}`)).some(({ dueAt }) => dueAt <= now);

const noteDue = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  sql`INSERT OR REPLACE INTO due_posts (post_id, seen_at, updated_at)
    SELECT id, updated_at, ${at} FROM posts WHERE id = ${id}`.execute(db(tx));

/** When a post was last changed before the schedule published it; null unless nothing changed it since. */
export const findSeenBeforeDue = async (
  from: Queryable,
  post: { readonly id: string; readonly updated_at: string | number | null },
): Promise<number | null> => {
  const row = await db(from)
    .selectFrom('due_posts')
    .select(['seen_at', 'updated_at'])
    .where('post_id', '=', post.id)
    .executeTakeFirst();
  return row?.updated_at === post.updated_at ? parseStoredTime(row?.seen_at) : null;
};

/** Whether what this program built is noted: by the leader for all servers, by one that only reads for itself. */
export const notesBuilds = ({ isReader, leads }: Pick<Store, 'isReader' | 'leads'>): boolean =>
  isReader || leads();

export type BuildRequest = { readonly id: string; readonly requested_by: string };

/** Records that someone asked for a build; the publisher makes it. */
export const requestBuild = async (
  store: Store,
  requestedBy: string,
  now: number,
): Promise<string> => {
  const id = createId(now);
  await store.write((tx) =>
    db(tx)
      .insertInto('builds')
      .values({ id, state: 'requested', requested_by: requestedBy, requested_at: now })
      .execute(),
  );
  return id;
};

export const listRequestedBuilds = (from: Queryable): Promise<BuildRequest[]> =>
  db(from)
    .selectFrom('builds')
    .select(['id', 'requested_by'])
    .where('state', '=', 'requested')
    .orderBy('requested_at')
    .execute();

export type BuildOutcome = {
  readonly generation: number;
  readonly kind: 'full' | 'incremental';
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The report as JSON, or the sentence that says why the build failed. */
  readonly report: string | null;
  readonly error: string | null;
};

/** At most this many finished builds are kept. */
const KEPT_BUILDS_MAX = 500;

/** Records a finished build under the requests that it answers, or under an id of its own. */
export const recordBuild = async (
  tx: Transaction,
  requests: readonly BuildRequest[],
  outcome: BuildOutcome,
): Promise<void> => {
  const values = {
    generation: outcome.generation,
    kind: outcome.kind,
    state: outcome.error === null ? 'done' : 'failed',
    started_at: outcome.startedAt,
    finished_at: outcome.finishedAt,
    report: outcome.report,
    error: outcome.error,
  };
  if (requests.length === 0) {
    const id = createId(outcome.startedAt);
    const asked = { requested_by: 'publisher', requested_at: outcome.startedAt };
    await db(tx)
      .insertInto('builds')
      .values({ id, ...asked, ...values })
      .execute();
  } else {
    const ids = requests.map(({ id }) => id);
    await db(tx).updateTable('builds').set(values).where('id', 'in', ids).execute();
  }
  await db(tx)
    .deleteFrom('builds')
    .where('state', 'in', ['done', 'failed'])
    .where(
      'id',
      'not in',
      sql<string>`(SELECT id FROM builds ORDER BY rowid DESC LIMIT ${KEPT_BUILDS_MAX})`,
    )
    .execute();
};

/** In the order in which they were asked for, whatever the clock said then. */
const NEWEST_FIRST = sql`rowid DESC`;

export const listBuilds = (from: Queryable, limit: number) =>
  db(from).selectFrom('builds').selectAll().orderBy(NEWEST_FIRST).limit(limit).execute();

/** What is read of a report again. */
const changeReport = z.object({
  records: z.number(),
  milliseconds: z.number(),
  files: z.object({ written: z.number(), removed: z.number() }),
});

const sampleReport = z.object({
  samples: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).default([]),
});

const REPORT = 'The report of a build';

export type LastChange = Readonly<z.output<typeof changeReport>> & {
  readonly generation: number;
  readonly finishedAt: number | null;
};

/** The newest build that changed the output, whichever program made it; null when none is kept. */
export const findLastChange = async (from: Queryable): Promise<LastChange | null> => {
  // Later builds that were asked for and changed nothing have its generation too.
  const row = await db(from)
    .selectFrom('builds')
    .select(['generation', 'finished_at', 'report'])
    .where('state', '=', 'done')
    .where(
      'generation',
      '=',
      sql<number>`(SELECT max(generation) FROM builds WHERE state = 'done')`,
    )
    .orderBy('finished_at')
    .executeTakeFirst();
  if (!row?.report || row.generation === null) return null;
  const { generation, finished_at: finishedAt } = row;
  return { generation, finishedAt, ...parseStored(changeReport, row.report, REPORT) };
};

type Sampled = z.output<typeof sampleReport>['samples'][number];

/** The sampled documents of the build that made a generation; none when it is not kept any more. */
export const findSamples = async (from: Queryable, generation: number): Promise<Sampled[]> => {
  const row = await db(from)
    .selectFrom('builds')
    .select('report')
    .where('generation', '=', generation)
    .where('state', '=', 'done')
    .orderBy('finished_at')
    .executeTakeFirst();
  return row?.report ? parseStored(sampleReport, row.report, REPORT).samples : [];
};
