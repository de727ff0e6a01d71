// Lists of long tables are read on a thread of their own: the answers are the same, and nobody waits for them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { asKnownError } from '../../../src/store/faults.ts';
import { countRows, type ListQuery, listRows, readerOf } from '../../../src/store/list-source.ts';
import { MEMBER_LIST } from '../../../src/store/members.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { canCountFiles, openFiles } from '../../helpers/open-files.ts';
import { createPublication } from '../../helpers/publication.ts';
import { ticksDuring } from '../../helpers/ticks.ts';

const WORKER = join(import.meta.dirname, '../../../dist/read-worker.js');
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
  countRows(await readerOf(store, MEMBER_LIST), MEMBER_LIST, NEWEST);

const COUNT_LONG = sql`WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 300000)
  SELECT sum(v) AS total FROM n`;

test.skipIf(skip)('a long query leaves the event loop to others', async () => {
  const { store } = await createMembers(1);
  expect(await ticksDuring(() => COUNT_LONG.execute(store.reader))).toBeLessThan(5);
  expect(await ticksDuring(() => COUNT_LONG.execute(store.longReader))).toBeGreaterThan(5);
});

test.skipIf(skip)('a long table is read on the thread, with the same answers', async () => {
  const { store, insert, shell } = await createMembers(2_000);
  expect(await readerOf(store, MEMBER_LIST)).toBe(store.reader);
  insert('members', { name: 'One more' });
  expect(await readerOf(store, MEMBER_LIST)).toBe(store.longReader);
  const query = { ...NEWEST, search: 'one more', limit: 15, offset: 0, total: 1 };
  const far = await listRows(store.longReader, MEMBER_LIST, query);
  expect(far).toEqual(await listRows(store.reader, MEMBER_LIST, query));
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
  const fault = (reader: Store['reader']) =>
    sql`SELECT nothing FROM members`.execute(reader).then(
      () => null,
      (error: unknown) => asKnownError(error),
    );
  const far = await fault(store.longReader);
  expect(far).toMatchObject({ code: 'DATABASE_ALTERED' });
  expect((far as Error).message).toBe(((await fault(store.reader)) as Error).message);
  expect(await sql`SELECT 1 AS one`.execute(store.longReader)).toMatchObject({
    rows: [{ one: 1 }],
  });
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
