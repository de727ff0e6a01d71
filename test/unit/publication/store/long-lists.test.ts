// Lists of long tables are read on a thread of their own: the answers are the same, and nobody waits for them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { asKnownError } from '../../../../src/base/sqlite/database-fault.ts';
import { whileAsked } from '../../../../src/base/threads/asking-client.ts';
import { db, type Queryable } from '../../../../src/publication/store/db.ts';
import {
  countRows,
  type ListQuery,
  listRows,
  readerOf,
} from '../../../../src/publication/store/list-source.ts';
import { listChosen } from '../../../../src/publication/store/members/member-bulk.ts';
import { readMembersToExport } from '../../../../src/publication/store/members/member-export.ts';
import { MEMBER_LIST } from '../../../../src/publication/store/members/members.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import type { Store } from '../../../../src/publication/store/store.ts';
import { canCountFiles, openFiles } from '../../../helpers/open-files.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { readFilter } from '../../../helpers/read-filter.ts';
import { ticksDuring } from '../../../helpers/ticks.ts';

const WORKER = join(import.meta.dirname, '../../../../dist/read-worker.js');
const skip = existsSync(WORKER) ? false : 'dist/read-worker.js is absent: npm run bundle makes it';

const NEWEST: ListQuery = { filter: null, search: null, order: [] };

/** A publication with so many members, its store reading long lists on a thread. */
const createMembers = async (count: number, readWorker = WORKER) => {
  const { path, shell, insert } = await createPublication();
  shell.transaction(() => {
    for (let at = 0; at < count; at += 1) insert('members', { name: `Member ${at}` });
  })();
  const store = await openStore(path, { readWorker });
  onTestFinished(store.close);
  return { store, shell, insert, path };
};

const totalOf = async (store: Store): Promise<number> =>
  countRows(await readerOf(store, MEMBER_LIST, NEWEST), MEMBER_LIST, NEWEST);

const COUNT_LONG = sql`WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 300000)
  SELECT sum(v) AS total FROM n`;

test.skipIf(skip)('a long query leaves the event loop to others', async () => {
  const { store } = await createMembers(1);
  expect(await ticksDuring(() => COUNT_LONG.execute(db(store)))).toBeLessThan(5);
  expect(await ticksDuring(() => COUNT_LONG.execute(db(store.onThread)))).toBeGreaterThan(5);
});

test.skipIf(skip)('a long table is read on the thread, with the same answers', async () => {
  const { store, insert, shell } = await createMembers(2_000);
  expect(await readerOf(store, MEMBER_LIST, NEWEST)).toBe(store);
  insert('members', { name: 'One more' });
  expect(await readerOf(store, MEMBER_LIST, NEWEST)).toBe(store.onThread);
  const query = { ...NEWEST, search: 'one more', limit: 15, offset: 0, total: 1 };
  const far = await listRows(store.onThread, MEMBER_LIST, query);
  expect(far).toEqual(await listRows(store, MEMBER_LIST, query));
  expect(far).toHaveLength(1);
  // Whatever was committed before is seen.
  for (let round = 1; round <= 3; round += 1) {
    shell.prepare('DELETE FROM members WHERE rowid = ?').run(round);
    insert('members', {});
    insert('members', {});
    expect(await totalOf(store)).toBe(2_001 + round);
  }
});

test.skipIf(skip)('errors of the thread keep their codes', async () => {
  const { store } = await createMembers(1);
  const fault = (from: Queryable) =>
    sql`SELECT nothing FROM members`.execute(db(from)).then(
      () => null,
      (error: unknown) => asKnownError(error),
    );
  const far = await fault(store.onThread);
  expect(far).toMatchObject({ code: 'DATABASE_ALTERED' });
  expect((far as Error).message).toBe(((await fault(store)) as Error).message);
  expect(await sql`SELECT 1 AS one`.execute(db(store.onThread))).toMatchObject({
    rows: [{ one: 1 }],
  });
});

test.skipIf(skip)('a list whose client has left ends', async () => {
  const { store } = await createMembers(2_001);
  const client = new AbortController();
  const query = { ...NEWEST, search: 'member', limit: 15, offset: 0, total: 2_001 };
  const list = () =>
    whileAsked(client.signal, () => listRows(store.onThread, MEMBER_LIST, query)).then(
      ({ length }) => length,
      (error: { readonly code: string }) => error.code,
    );
  expect(await list()).toBe(15);
  client.abort();
  expect(await list()).toBe('LIST_TOO_SLOW');
});

test('where the thread cannot start, the list is read all the same', async () => {
  const { store } = await createMembers(2_001, '/nowhere/read-worker.js');
  expect(await totalOf(store)).toBe(2_001);
});

test.skipIf(skip || !canCountFiles)(
  'the thread lets go of the file as the store closes',
  async () => {
    const { store, path } = await createMembers(2_001);
    const before = openFiles(path).length;
    expect(await totalOf(store)).toBe(2_001);
    expect(openFiles(path).length).toBeGreaterThan(before);
    await store.close();
    // The test's own connection.
    expect(openFiles(path).length).toBeLessThan(before);
  },
);

test.skipIf(skip)('a list that takes too long ends, whoever reads it', async () => {
  const { store, insert } = await createMembers(3);
  const [member, label] = [
    insert('members', {}),
    insert('labels', { name: 'VIP', slug: 'vip', created_at: '2026-01-02T00:00:00.000Z' }),
  ];
  insert('members_labels', { member_id: member, label_id: label });
  const late = { ...NEWEST, timeMs: -1 };
  const page = { ...late, limit: 1, offset: 0, total: 3 };
  const filter = readFilter("name:~'member',note:~'x'");
  // No label is called so: no member is looked at, but each link.
  const linked = readFilter("labels.name:~'x'");
  for (const from of [store, store.onThread]) {
    const reads = [
      () => countRows(from, MEMBER_LIST, { ...late, filter }),
      () => countRows(from, MEMBER_LIST, { ...late, filter: linked }),
      () => countRows(from, MEMBER_LIST, { ...late, search: 'member' }),
      () => listRows(from, MEMBER_LIST, { ...page, filter }),
      () => listRows(from, MEMBER_LIST, { ...page, order: [{ field: 'name', direction: 'asc' }] }),
      () => listChosen(from, { ...late, filter }),
    ];
    for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'LIST_TOO_SLOW' });
    // The next one has its own time.
    expect(await countRows(from, MEMBER_LIST, { ...NEWEST, filter })).toBe(3);
  }
  const written = (timeMs: number) => [
    ...readMembersToExport(store, { filter, search: null, limit: null, timeMs }),
  ];
  expect(() => written(-1)).toThrow(expect.objectContaining({ code: 'LIST_TOO_SLOW' }));
  expect(written(60_000)).toHaveLength(3);
});

test.skipIf(skip)(
  'many conditions on texts are read on the thread even of a short table',
  async () => {
    const { store } = await createMembers(101);
    const texts = (count: number) => ({
      filter: readFilter(Array(count).fill("name:~'a'").join('+')),
    });
    expect(await readerOf(store, MEMBER_LIST, texts(19))).toBe(store);
    expect(await readerOf(store, MEMBER_LIST, texts(20))).toBe(store.onThread);
  },
);
