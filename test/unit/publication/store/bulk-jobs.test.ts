// Work on many members in parts: other writers pass between them, and whoever goes on does no line twice.

import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { BULK_PART_MS } from '../../../../src/publication/store/bulk-parts.ts';
import { db } from '../../../../src/publication/store/db.ts';
import {
  dropHalfKept,
  getJob,
  keepJob,
  type LineWork,
  listUnfinishedJobs,
  runJob,
} from '../../../../src/publication/store/members/bulk-jobs.ts';
import { describeJob } from '../../../../src/publication/store/members/describe-job.ts';
import type { Store, Transaction } from '../../../../src/publication/store/store.ts';
import {
  planBulkDelete,
  planBulkEdit,
  selectMembers,
} from '../../../../src/serve/admin/members/bulk-members.ts';
import { runBulkJobs } from '../../../../src/serve/server/member-jobs/run-bulk-jobs.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

/** What happens instead of a pause, with its milliseconds. */
const pauses = vi.hoisted(() => ({ take: (_ms: number): void => undefined }));

vi.mock('node:timers/promises', async (load) => ({
  ...(await load<typeof import('node:timers/promises')>()),
  setTimeout: async (ms: number) => pauses.take(ms),
}));

beforeEach(() => {
  pauses.take = () => undefined;
});

const ID = '0'.repeat(24);
const LINES = 120;
const idAt = (at: number): string => at.toString().padStart(24, '0');

const keep = (store: Store): Promise<void> => {
  const lines = Array.from({ length: LINES }, (_, at) => idAt(at));
  const job = { id: ID, kind: 'edit', change: {}, report: {}, nowMs: 1 } as const;
  return keepJob(store, job, [lines.slice(0, 70), lines.slice(70)]);
};

/** Each line becomes a tag. */
const work: LineWork = async (tx, chunks) => {
  let tags = 0;
  for (const lines of chunks) {
    tags += lines.length;
    await db(tx)
      .insertInto('tags')
      .values(lines.map((line) => ({ id: line, name: line, slug: line, created_at: '' })))
      .execute();
  }
  return { tags };
};

/** So much passes until each look at it. */
const clockOf = (stepMs: number): (() => number) => {
  let nowMs = 0;
  return () => {
    nowMs += stepMs;
    return nowMs;
  };
};

const tags = ({ shell }: Publication): unknown =>
  shell.prepare('SELECT count(*) FROM tags').pluck().get();

/** SQLite's longest sleep before a sixth attempt to write. */
const ATTEMPT_MS = 50;

test('between two parts another program can save for longer than it sleeps between attempts', async () => {
  const publication = await createPublication();
  const { store, shell } = publication;
  await keep(store);
  const saved: unknown[] = [];
  pauses.take = (ms) => {
    shell.exec("BEGIN IMMEDIATE; UPDATE tags SET name = 'theirs' || id; COMMIT");
    saved.push([tags(publication), ms > ATTEMPT_MS]);
  };
  await runJob(store, ID, { work, now: clockOf(BULK_PART_MS) });
  expect(saved).toEqual(Array.from({ length: 23 }, (_, at) => [5 * (at + 1), true]));
});

test('lines are kept in transactions of their own, of which the last alone waits for the disk', async () => {
  const { store, shell } = await createPublication();
  const options: unknown[] = [];
  const seen: unknown[] = [];
  const look = shell.prepare(
    'SELECT state, count(seq) AS lines FROM bulk_jobs LEFT JOIN bulk_lines',
  );
  function* batches(): Generator<string[]> {
    for (let at = 0; at < 3; at += 1) {
      yield [idAt(at)];
    }
  }
  pauses.take = (ms) => {
    // Another writer finds the database free.
    shell.exec('BEGIN IMMEDIATE; COMMIT');
    seen.push({ ...(look.get() as object), isLong: ms > ATTEMPT_MS });
  };
  const watched: Store = {
    ...store,
    write: (run, given) => {
      options.push(given);
      return store.write(run, given);
    },
  };
  const job = { id: ID, kind: 'edit', change: {}, report: {}, nowMs: 1 } as const;
  await keepJob(watched, job, batches());
  expect(seen).toEqual([1, 2, 3].map((lines) => ({ state: 'reading', lines, isLong: true })));
  const mayBeLost = { mayBeLost: true };
  expect(options).toEqual([undefined, mayBeLost, mayBeLost, mayBeLost, undefined]);
  expect(look.get()).toEqual({ state: 'running', lines: 3 });
});

test('a part ends once its time is up, which is short until it is known how long one takes', async () => {
  const { store } = await createPublication();
  await keep(store);
  const done: number[] = [];
  await runJob(store, ID, {
    work,
    now: clockOf(BULK_PART_MS / 4),
    onPart: ({ members_done }) => done.push(members_done),
  });
  expect(done).toEqual([5, 10, 22, 47, 72, 97, 120]);
});

test('parts wait for the disk only when they may be the last', async () => {
  const { store } = await createPublication();
  const lines = Array.from({ length: 1_020 }, (_, at) => idAt(at));
  await keepJob(store, { id: ID, kind: 'edit', change: {}, report: {}, nowMs: 1 }, [lines]);
  const synced: unknown[] = [];
  const look = async (tx: Transaction): Promise<void> => {
    const { rows } = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(db(tx));
    synced.push(rows[0]?.synchronous);
  };
  const looks: LineWork = async (tx, chunks) => {
    await look(tx);
    return { lines: [...chunks].length };
  };
  await runJob(store, ID, { work: looks });
  await store.write(look);
  const [NORMAL, FULL] = [1, 2];
  expect([synced[0], ...synced.slice(-2)]).toEqual([NORMAL, FULL, FULL]);
  const fails = store.write(() => Promise.reject(new Error('no')), { mayBeLost: true });
  await expect(fails).rejects.toThrow('no');
  await store.write(look);
  expect(synced.at(-1)).toBe(FULL);
});

test('whoever goes on after a kill does what remains, as the same action', async () => {
  const publication = await createPublication();
  const { store, shell } = publication;
  await keep(store);
  const killed = new Error('killed');
  const dies = runJob(store, ID, {
    work,
    now: clockOf(BULK_PART_MS),
    onPart: () => {
      throw killed;
    },
  });
  await expect(dies).rejects.toBe(killed);
  const [half] = await listUnfinishedJobs(store);
  expect(half).toMatchObject({ members_total: LINES, state: 'running' });
  expect(half?.members_done).toBeGreaterThan(0);
  expect(tags(publication)).toBe(half?.members_done);
  await runJob(store, ID, { work });
  expect(tags(publication)).toBe(LINES);
  expect(await getJob(store, ID)).toMatchObject({
    state: 'done',
    members_done: LINES,
    counts: JSON.stringify({ tags: LINES }),
  });
  const actions = shell.prepare('SELECT DISTINCT action FROM changes').pluck().all();
  expect(actions).toEqual([`bulk:${ID}`]);
});

test('a line that cannot be done ends the work, which says what is half done', async () => {
  const publication = await createPublication();
  const { store, insert, shell } = publication;
  await keep(store);
  insert('tags', { id: idAt(LINES - 1), name: 'here', slug: 'here', created_at: '' });
  await runJob(store, ID, { work });
  const job = await getJob(store, ID);
  expect(job).toMatchObject({ state: 'failed' });
  expect(tags(publication)).toBe(job.members_done + 1);
  expect(describeJob(job)).toMatch(
    /^\d+ of 120 members were edited, then the work stopped: UNIQUE constraint failed: tags\.id$/,
  );
  expect(shell.prepare('SELECT count(*) FROM bulk_lines').pluck().get()).toBe(0);
});

test('lines of work that failed are dropped in parts, too', async () => {
  const { store, shell } = await createPublication();
  const lines = Array.from({ length: 25_000 }, (_, at) => idAt(at));
  await keepJob(store, { id: ID, kind: 'edit', change: {}, report: {}, nowMs: 1 }, [lines]);
  const left: unknown[] = [];
  pauses.take = () => {
    left.push(shell.prepare('SELECT count(*) FROM bulk_lines').pluck().get());
  };
  await runJob(store, ID, { work: () => Promise.reject(new Error('no')) });
  expect(left).toEqual([15_000, 5_000]);
  expect(shell.prepare('SELECT state FROM bulk_jobs').pluck().get()).toBe('failed');
});

test('a fault of the database leaves the work to be gone on with', async () => {
  const publication = await createPublication();
  const { store } = publication;
  await keep(store);
  const full = new PrepressError('DATABASE_UNWRITABLE', 'The disk is full.');
  const fails = async () => {
    throw full;
  };
  await expect(runJob(store, ID, { work: fails })).rejects.toBe(full);
  await runJob(store, ID, { work });
  expect(tags(publication)).toBe(LINES);
});

test('nobody is changed whom the filter no longer chooses', async () => {
  const { store, insert, shell } = await createPublication();
  for (const at of [1, 2]) insert('members', { email: `m${at}@example.com`, name: 'Ada' });
  const input = { action: 'addLabel', meta: { label: { name: 'vip' } } } as never;
  const selection = selectMembers({ filter: 'name:Ada' } as never, 1);
  await planBulkEdit({ store, nowMs: 1 }, selection, input);
  shell.exec(
    "UPDATE members SET name = 'Eve', updated_at = '2024-01-01' WHERE email = 'm1@example.com'",
  );
  await runBulkJobs(store);
  const labelled = 'SELECT email FROM members WHERE id IN (SELECT member_id FROM members_labels)';
  expect(shell.prepare(labelled).pluck().all()).toEqual(['m2@example.com']);
});

test.each(['saved', 'as they were'])('of members who are %s, whose label went', async (how) => {
  const { store, insert, shell } = await createPublication();
  insert('labels', { id: ID, name: 'Old', slug: 'old', created_at: '1970-01-01' });
  for (const id of [idAt(1), idAt(2)]) {
    insert('members', { id, email: `${id}@example.com`, updated_at: '1970-01-01' });
    insert('members_labels', { member_id: id, label_id: ID });
  }
  const selection = selectMembers({ filter: 'label:old' } as never, 1);
  await planBulkDelete({ store, nowMs: 1 }, selection);
  shell.exec("UPDATE labels SET slug = 'new'");
  if (how === 'saved')
    shell.exec(`UPDATE members SET updated_at = '2024-01-01' WHERE id = '${idAt(1)}'`);
  await runBulkJobs(store);
  const kept = how === 'saved' ? [idAt(1)] : [];
  expect(shell.prepare('SELECT id FROM members').pluck().all()).toEqual(kept);
  const [counts] = shell.prepare('SELECT counts FROM bulk_jobs').pluck().all();
  expect(JSON.parse(String(counts))).toEqual({ passed: kept.length });
});

test.each(['delete', 'unsubscribe'])(
  'before %s, members whom earlier work changes are asked for again unless it is an opt-out',
  async (action) => {
    const { store, insert, shell } = await createPublication();
    insert('labels', { id: ID, name: 'Old', slug: 'old', created_at: '1970-01-01' });
    insert('members', { id: idAt(1), email: 'a@example.com', updated_at: '1970-01-01' });
    insert('members_labels', { member_id: idAt(1), label_id: ID });
    insert('newsletters', { id: ID, uuid: 'n', name: 'N', slug: 'n', created_at: '1970-01-01' });
    insert('members_newsletters', { member_id: idAt(1), newsletter_id: ID });
    const selection = selectMembers({ filter: 'label:old' } as never, 1);
    const input = { action: 'removeLabel', meta: { label: { id: ID } } } as never;
    await planBulkEdit({ store, nowMs: 1 }, selection, input);
    const context = { store, nowMs: 2 };
    if (action === 'delete') await planBulkDelete(context, selection);
    else await planBulkEdit(context, selection, { action } as never);
    await runBulkJobs(store);
    expect(shell.prepare('SELECT id FROM members').pluck().all()).toEqual([idAt(1)]);
    const links = shell.prepare('SELECT count(*) FROM members_newsletters').pluck().all();
    expect(links).toEqual([action === 'delete' ? 1 : 0]);
  },
);

test('nobody is deleted whom the filter no longer chooses, and what nobody kept whole is never begun', async () => {
  const { store, insert, shell } = await createPublication();
  for (const at of [1, 2, 3]) insert('members', { email: `m${at}@example.com`, name: 'Ada' });
  const selection = selectMembers({ filter: 'name:Ada' } as never, 1);
  await planBulkDelete({ store, nowMs: 1 }, selection);
  shell.exec(
    "UPDATE members SET name = 'Eve', updated_at = '2024-01-01' WHERE email = 'm1@example.com'",
  );
  insert('members', { email: 'm4@example.com', name: 'Ada' });
  shell.exec(
    `INSERT INTO bulk_jobs (id, kind, change, state, report, created_at)
     VALUES ('x', 'delete', '{"does":"delete"}', 'reading', '{}', 1)`,
  );
  await runBulkJobs(store);
  expect(shell.prepare('SELECT email FROM members').pluck().all()).toEqual([
    'm1@example.com',
    'm4@example.com',
  ]);
  expect(await getJob(store, 'x')).toMatchObject({ state: 'reading' });
});

test('what was never kept whole goes once nobody keeps it', async () => {
  const { store, shell } = await createPublication();
  const halfKept = (): unknown[] =>
    shell.prepare("SELECT count(*) FROM bulk_jobs WHERE state = 'reading'").pluck().all();
  const seen: unknown[] = [];
  pauses.take = () => {
    seen.push(...halfKept());
  };
  const broken = [[idAt(0)], null as never];
  const job = { id: 'x', kind: 'edit', change: {}, report: {}, nowMs: 1 } as const;
  await expect(keepJob(store, job, broken)).rejects.toThrow();
  expect(halfKept()).toEqual([1]);
  pauses.take = () => {
    void dropHalfKept(store);
    seen.push(...halfKept());
  };
  await keep(store);
  expect(seen).toEqual([1, 1, 1]);
  expect(halfKept()).toEqual([0]);
  expect(await listUnfinishedJobs(store)).toMatchObject([{ id: ID, members_total: LINES }]);
});

test('a label that was deleted meanwhile ends the work, which names it', async () => {
  const { store, insert, shell } = await createPublication();
  insert('members', { email: 'm@example.com' });
  insert('labels', { name: 'VIP', slug: 'vip', created_at: '' });
  const input = { action: 'addLabel', meta: { label: { name: 'vip' } } } as never;
  const id = await planBulkEdit(
    { store, nowMs: 1 },
    selectMembers({ all: 'true' } as never, 1),
    input,
  );
  shell.exec('DELETE FROM labels');
  await runBulkJobs(store);
  expect(describeJob(await getJob(store, id))).toBe(
    '0 of 1 member was edited, then the work stopped: the label "VIP" was deleted.',
  );
});
