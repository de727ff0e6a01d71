// Subscribing the members that there are to a new newsletter: all of them, once each, in pieces.
import { expect, test } from 'vitest';
import { subscribeExisting } from '../../../../src/publication/store/members/newsletters.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { ticksDuring } from '../../../helpers/ticks.ts';

test('every member with a newsletter is subscribed once, and others have ticks meanwhile', async () => {
  const { store, shell, insert } = await createPublication();
  const first = insert('newsletters', { uuid: 'a', name: 'A', slug: 'a', created_at: 'x' });
  const second = insert('newsletters', { uuid: 'b', name: 'B', slug: 'b', created_at: 'x' });
  shell.transaction(() => {
    for (let at = 0; at < 1_600; at += 1) {
      const member_id = insert('members', { email_disabled: Number(at % 8 === 1) });
      if (at % 8 !== 0) insert('members_newsletters', { member_id, newsletter_id: first });
    }
  })();
  let count = 0;
  const ticks = await ticksDuring(async () => {
    count = await store.write((tx) => subscribeExisting(tx, second, 0));
  });
  expect(count).toBe(1_200);
  expect(ticks).toBeGreaterThan(3);
  const links = shell
    .prepare(
      `SELECT count(*), count(DISTINCT link.member_id), sum(members.email_disabled)
       FROM members_newsletters AS link JOIN members ON members.id = link.member_id
       WHERE newsletter_id = ?`,
    )
    .raw()
    .get(second);
  expect(links).toEqual([1_200, 1_200, 0]);
  const events = shell.prepare('SELECT count(*) FROM members_subscribe_events').pluck().get();
  expect(events).toBe(1_200);
});
