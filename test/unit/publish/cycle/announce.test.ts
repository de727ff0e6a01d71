// The announced position and its deliveries are one commit.

import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import { announceBeside } from '../../../../src/publish/cycle/announce.ts';
import type { PublishDeps } from '../../../../src/publish/cycle/publish-deps.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';

test('deliveries that cannot be queued keep the announced position where it is', async () => {
  const { deps, insert, events } = await createPublishingSite(['post.published']);
  await publishOnce(deps);
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  // Any commit but that of the deliveries.
  const write: PublishDeps['store']['write'] = (work) =>
    deps.store.write(async (tx) => {
      const result = await work(tx);
      const queued = await db(tx).selectFrom('deliveries').select('id').execute();
      if (queued.length > 0) throw new Error('the process ends here');
      return result;
    });
  await expect(publishOnce({ ...deps, store: { ...deps.store, write } })).rejects.toThrow('ends');
  await publishOnce(deps);
  expect(events()).toEqual(['post.published']);
});

test('what another server left is announced as a change, however many generations it counted', async () => {
  const site = await createPublishingSite(['site.changed']);
  const deps = { ...site.deps, lastChange: { seq: -1 } };
  await publishOnce(deps);
  site.insert('posts', { status: 'published', published_at: '2026-01-01' });
  await publishOnce({ ...deps, store: { ...deps.store, leads: () => false } });
  site.newEvents();
  site.shell.exec('UPDATE published_position SET generation = generation + 9');
  const { generation } = await publishOnce(deps);
  expect([site.newEvents(), deps.manifest.generation()]).toEqual([['site.changed'], generation]);
});

test('who leads from the middle of a build on announces what it could not before it', async () => {
  const { deps, insert, events } = await createPublishingSite(['post.added']);
  await publishOnce(deps);
  insert('posts', { status: 'draft' });
  let leads = false;
  const onBuilt = async (): Promise<void> => {
    leads = true;
  };
  await publishOnce({ ...deps, store: { ...deps.store, leads: () => leads } }, { onBuilt });
  expect(events()).toEqual(['post.added']);
});

test('what is queued beside a build from a newer state is told once, also by who leads from then on', async () => {
  const { deps, insert, events, shell } = await createPublishingSite(['member.edited']);
  const id = insert('members', { email: 'one@x.test', name: 'One' });
  await publishOnce(deps);
  const rename = (name: string): void =>
    void shell.prepare('UPDATE members SET name = ? WHERE id = ?').run(name, id);
  rename('Two');
  let leads = false;
  const elected = { ...deps, store: { ...deps.store, leads: () => leads } };
  const onBuilt = async (): Promise<void> => {
    rename('Three');
    leads = true;
    const beside = announceBeside(elected);
    await eventually(() => expect(events()).toEqual(['member.edited']));
    await beside.end();
  };
  await publishOnce(elected, { onBuilt });
  await publishOnce(elected);
  expect(events()).toEqual(['member.edited']);
});

test('who built while another server announced leaves its position as it is', async () => {
  const { deps, insert, events, shell } = await createPublishingSite(['post.added']);
  await publishOnce(deps);
  insert('posts', { status: 'draft' });
  const read = () => shell.prepare('SELECT seq, generation FROM published_position').get();
  let position: unknown;
  const onBuilt = async (): Promise<void> => {
    shell.exec('UPDATE published_position SET generation = generation + 9, seq = seq + 1');
    position = read();
  };
  const { queued } = await publishOnce(
    { ...deps, store: { ...deps.store, leads: () => position !== undefined } },
    { onBuilt },
  );
  expect([queued, events(), read()]).toEqual([0, [], position]);
});

test('a log that was made anew does not make a change of each cycle', async () => {
  const site = await createPublishingSite(['site.changed']);
  const lastChange = { seq: -1 };
  const deps = { ...site.deps, lastChange };
  await publishOnce(deps);
  site.insert('posts', { status: 'draft' });
  const { generation } = await publishOnce(deps);
  site.newEvents();
  lastChange.seq = 5_000;
  site.insert('posts', { status: 'draft' });
  expect([(await publishOnce(deps)).generation, site.newEvents()]).toEqual([generation, []]);
});

test('a flood that is told by site.changed alone is said with its number', async () => {
  const site = await createPublishingSite(['member.added', 'post.published']);
  const { deps, insert, events } = site;
  await publishOnce(deps);
  for (let made = 0; made < 103; made += 1) insert('members', { email: `m${made}@x.test` });
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  const { warnings } = await publishOnce(deps);
  expect(events()).toEqual(['post.published']);
  expect(warnings).toEqual([
    'Rows of 103 members were changed at once by another program, so only site.changed is sent for them.',
  ]);
});
