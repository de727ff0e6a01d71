// While a source is followed, the clock changes no status here: the source publishes what is due.
import { expect, onTestFinished, test } from 'vitest';
import {
  beginFollowing,
  endFollowing,
} from '../../../../src/publication/store/import/following.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { startPublisher } from '../../../../src/publish/cycle/publisher.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createPublishingSite, type PublishingSite } from '../../../helpers/publishing-site.ts';

const statuses = ({ shell }: PublishingSite): unknown =>
  shell.prepare('SELECT status FROM posts ORDER BY id').pluck().all();

const addPosts = async (): Promise<PublishingSite> => {
  const site = await createPublishingSite();
  site.insert('posts', { id: 'a'.repeat(24), status: 'scheduled', published_at: '2026-04-01' });
  site.insert('posts', { id: 'b'.repeat(24), status: 'published', published_at: '2027-04-01' });
  await site.deps.store.write((tx) => beginFollowing(tx, { source: 'ghost', now: 0 }));
  return site;
};

test('no status changes by the clock', async () => {
  const site = await addPosts();
  await publishOnce(site.deps);
  expect(statuses(site)).toEqual(['scheduled', 'published']);
  await site.deps.store.write((tx) => endFollowing(tx, 1));
  await publishOnce(site.deps);
  expect(statuses(site)).toEqual(['published', 'published']);
});

test('the loop starts no cycle for what is due', async () => {
  const site = await addPosts();
  let cycles = 0;
  const publisher = startPublisher(site.deps, {
    onPublished: () => {
      cycles += 1;
    },
    onFailed: () => undefined,
  });
  onTestFinished(() => publisher.close());
  await eventually(() => expect(cycles).toBe(1));
  for (const more of [2, 3]) {
    site.insert('posts', {});
    await eventually(() => expect(cycles).toBe(more));
  }
});
