// What readers and editors do with newsletters while work on many members goes on.
import { expect, test } from 'vitest';
import {
  planBulkEdit,
  planBulkSubscribe,
  selectMembers,
} from '../../../../src/serve/admin/members/bulk-members.ts';
import { editMember } from '../../../../src/serve/admin/members/members.ts';
import { runBulkJobs } from '../../../../src/serve/server/member-jobs/run-bulk-jobs.ts';
import { createPublication } from '../../../helpers/publication.ts';

const createScene = async () => {
  const { store, shell, insert } = await createPublication();
  const newsletter = (name: string, more: { status?: string } = {}): string =>
    insert('newsletters', { uuid: name, name, slug: name, created_at: '2024-01-01', ...more });
  const [old, added] = [newsletter('old'), newsletter('added')];
  const member = (email: string): string => {
    const id = insert('members', { uuid: email, email, email_disabled: 0 });
    insert('members_newsletters', { member_id: id, newsletter_id: old });
    return id;
  };
  const [saved, other] = [member('saved@t.io'), member('other@t.io')];
  const clock = { now: () => Date.now() };
  const save = (...ids: string[]): Promise<void> =>
    editMember({ store, clock }, saved, { newsletters: ids.map((id) => ({ id })) });
  const has = (id: string): unknown[] =>
    shell
      .prepare('SELECT newsletter_id FROM members_newsletters WHERE member_id = ? ORDER BY rowid')
      .pluck()
      .all(id);
  return { store, shell, insert, newsletter, old, added, saved, other, save, has };
};

test('who left the new newsletter while others are subscribed to it stays away', async () => {
  const { store, old, added, saved, other, save, has } = await createScene();
  await planBulkSubscribe({ store, nowMs: Date.now() }, added);
  await save(old, added);
  await save(old);
  await runBulkJobs(store);
  expect([has(saved), has(other)]).toEqual([[old], [old, added]]);
});

test('archiving while others are subscribed keeps nobody away, but whoever left before it', async () => {
  const { store, shell, insert, newsletter, old, added, saved, other, save, has } =
    await createScene();
  const archived = newsletter('archived', { status: 'archived' });
  insert('members_newsletters', { member_id: saved, newsletter_id: archived });
  await planBulkSubscribe({ store, nowMs: Date.now() }, added);
  await save();
  shell.prepare("UPDATE newsletters SET status = 'archived' WHERE id = ?").run(old);
  await runBulkJobs(store);
  expect([has(saved), has(other)]).toEqual([[archived], [old, added]]);
});

test('who subscribes while others are unsubscribed stays subscribed', async () => {
  const { store, old, saved, other, save, has } = await createScene();
  const nowMs = Date.now();
  const selection = selectMembers({ all: 'true' }, nowMs);
  await planBulkEdit({ store, nowMs }, selection, { action: 'unsubscribe' });
  await save();
  await save(old);
  await runBulkJobs(store);
  expect([has(saved), has(other)]).toEqual([[old], []]);
});
