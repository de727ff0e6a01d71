// Which records the events of a cycle speak of, and how much is kept in memory to find out.
import { expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/publication/snapshot/snapshot.ts';
import { draftEvents } from '../../../../src/publish/webhooks/events/plan-events.ts';
import { findRecordsWithEvents } from '../../../../src/publish/webhooks/events/records-with-events.ts';
import { adminContext } from '../../../helpers/admin-context.ts';
import { namesOf, plan, positionOf, run } from '../../../helpers/events.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

const insertMembers = ({ shell }: Publication, count: number): void => {
  shell.exec(
    `INSERT INTO members (id, uuid, email, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     SELECT printf('%024x', i), 'u' || i, 'm' || i, '2026-01-01' FROM n`,
  );
};

/** Reads the log of a snapshot and keeps the size of each part. */
const watchReads = (snapshot: Snapshot, after: number) => {
  const parts: number[] = [];
  let reads = 0;
  async function* readLog() {
    reads += 1;
    for await (const part of snapshot.changesAfter(after)) {
      parts.push(part.length);
      yield part;
    }
  }
  return { parts, readLog, reads: () => reads };
};

const findIn = async (publication: Publication, after: number) => {
  const snapshot = publication.store.snapshot();
  const { parts, readLog, reads } = watchReads(snapshot, after);
  const told = await findRecordsWithEvents({
    readLog,
    presentIds: () => new Set(),
    statusChanges: (most) => snapshot.statusChangesAfter(after, most),
  });
  snapshot.close();
  return { told, parts, reads: reads() };
};

test('a flood is decided by counting, in one reading of the log', async () => {
  const publication = await createPublication();
  const after = positionOf(publication);
  insertMembers(publication, 12_000);
  const { told, parts, reads } = await findIn(publication, after);
  expect(told).toMatchObject({ records: new Set(), floods: new Set(['member']) });
  expect(parts).toEqual(Array.from({ length: 12 }, () => 1_000));
  expect(reads).toBe(1);
});

test('nothing of an import is kept, and a save after it is told', async () => {
  const publication = await createPublication();
  const post = publication.insert('posts', {});
  const after = positionOf(publication);
  const insert = 'INSERT INTO members (id, uuid, email, created_at) VALUES (?, ?, ?, ?)';
  const rows = Array.from({ length: 300 }, (_, at) => [insert, `m${at}`, `u${at}`, `e${at}`, '0']);
  await run(publication, rows as unknown as [string][], 'import:1');
  expect(await findIn(publication, after)).toMatchObject({
    told: { records: new Set() },
    reads: 1,
  });
  await run(publication, [['UPDATE posts SET title = ? WHERE id = ?', 'X', post]], 'save-1');
  const { told } = await findIn(publication, after);
  expect(told).toMatchObject({ records: new Set([post]), floods: new Set() });
  expect(namesOf(await plan(publication, after))).toEqual(['post.edited']);
});

test('links that follow from the removal of a label make no flood', async () => {
  const publication = await createPublication();
  const { shell, insert } = publication;
  insertMembers(publication, 200);
  const label = insert('labels', { name: 'L', slug: 'l', created_at: '2026-01-01' });
  shell.exec(
    `INSERT INTO members_labels (id, member_id, label_id) SELECT 'l' || id, id, '${label}' FROM members`,
  );
  const after = positionOf(publication);
  await run(publication, [['DELETE FROM labels WHERE id = ?', label]], null);
  const edit = "UPDATE members SET name = 'X' WHERE email = 'm1'";
  await run(publication, [[edit]], null);
  expect(namesOf(await plan(publication, after))).toEqual(['member.edited']);
});

test('the event loop goes on while a long log is read', async () => {
  const publication = await createPublication();
  const after = positionOf(publication);
  insertMembers(publication, 22_000);
  const snapshot = publication.store.snapshot();
  let ticks = 0;
  let isDone = false;
  const count = (): void => {
    ticks += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await draftEvents(snapshot, { after, context: adminContext() });
  isDone = true;
  snapshot.close();
  expect(ticks).toBeGreaterThanOrEqual(4);
});
