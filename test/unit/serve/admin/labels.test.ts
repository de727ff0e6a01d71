// Deleting a label takes it from its members; no event tells of each of them, however few they are.
import { expect, test } from 'vitest';
import { BULK_RECORDS_MAX } from '../../../../src/base/limits.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { deleteLabel } from '../../../../src/serve/admin/members/labels.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';

test.each([2, BULK_RECORDS_MAX + 1])('%d members lose a label', async (count) => {
  const { deps, insert, shell, newEvents } = await createPublishingSite(['member.edited']);
  const label_id = insert('labels', { name: 'VIP', slug: 'vip', created_at: '2026-01-01' });
  shell.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      insert('members_labels', { member_id: insert('members', {}), label_id });
    }
  })();
  await publishOnce(deps);
  newEvents();
  await deleteLabel(deps, label_id);
  await publishOnce(deps);
  expect(newEvents()).toEqual([]);
  expect(shell.prepare('SELECT count(*) FROM members').pluck().get()).toBe(count);
  expect(shell.prepare('SELECT count(*) FROM members_labels').pluck().get()).toBe(0);
});
