import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import { findLastChange, requestBuild } from '../../../../src/publication/store/log/publishing.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';
import { watchPublisher } from '../../../helpers/watched-publisher.ts';

test('the last change is that of the newest build that changed the output', async () => {
  const { deps, clock, insert } = await createPublishingSite();
  const { store } = deps;
  expect(await findLastChange(store)).toBe(null);
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  const { files, records } = await publishOnce(deps);
  const { written, removed } = files;
  const first = { generation: 1, finishedAt: clock.ms, records, files: { written, removed } };
  expect(await findLastChange(store)).toMatchObject(first);
  expect(written).toBeGreaterThan(0);
  clock.ms += 1_000;
  await requestBuild(store, 'admin', clock.ms);
  expect(await publishOnce(deps)).toMatchObject({ files: { written: 0 } });
  expect(await findLastChange(store)).toMatchObject(first);
  insert('posts', { status: 'published', published_at: '2026-01-02' });
  await publishOnce(deps);
  const second = { generation: 2, finishedAt: clock.ms, records: 1 };
  expect(await findLastChange(store)).toMatchObject(second);
});

test('the names of the files that changed stay until others change', async () => {
  const { deps, insert } = await createPublishingSite();
  const id = insert('posts', { status: 'published', published_at: '2026-01-01' });
  await publishOnce(deps);
  const { publisher, reports } = watchPublisher(deps);
  await eventually(() => expect(reports).toHaveLength(1));
  expect(publisher.state().changedFiles).toBe(null);
  deps.store.write((tx) =>
    db(tx).updateTable('posts').set({ title: 'Renamed' }).where('id', '=', id).execute(),
  );
  const changed = {
    generation: 2,
    names: { written: expect.arrayContaining([expect.any(String)]) },
  };
  await eventually(() => expect(publisher.state().changedFiles).toMatchObject(changed));
  const before = reports.length;
  await publisher.requestBuild('admin');
  await eventually(() => expect(reports.length).toBeGreaterThan(before));
  expect(publisher.state().lastReport?.files.written).toBe(0);
  expect(publisher.state().changedFiles).toMatchObject(changed);
});
