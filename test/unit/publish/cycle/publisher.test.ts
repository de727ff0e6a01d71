import { rmSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acquireBuildLock } from '../../../../src/publication/store/locks/build-lock.ts';
import type { PublishReport } from '../../../../src/publish/cycle/publish-once.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';
import { parseFile } from '../../../helpers/tree.ts';
import { type WatchedPublisher, watchPublisher } from '../../../helpers/watched-publisher.ts';

const AN_HOUR_MS = 3_600_000;

test('what needs no file is announced while another program builds, and once', async () => {
  const { deps, shell, insert, events } = await createPublishingSite([
    'member.added',
    'post.added',
    'post.edited',
    'site.changed',
  ]);
  const { paths } = deps;
  const { reports } = watchPublisher(deps);
  await eventually(() => expect(reports).toHaveLength(1));
  const lock = await acquireBuildLock(paths.buildLock, 5_000);
  insert('members', {});
  const draft = insert('posts', {});
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  await eventually(() => expect(events()).toEqual(['site.changed', 'post.added', 'member.added']));
  shell.prepare("UPDATE posts SET title = 'Edited' WHERE id = ?").run(draft);
  await eventually(() => expect(events()).toContain('post.edited'));
  lock.release();
  await eventually(() =>
    expect(events().filter((name) => name === 'site.changed')).toHaveLength(2),
  );
  insert('members', {});
  await eventually(() =>
    expect(events().filter((name) => name === 'member.added')).toHaveLength(2),
  );
  expect(
    events()
      .filter((name) => name.startsWith('post.'))
      .sort(),
  ).toEqual(['post.added', 'post.added', 'post.edited']);
});

test('a commit during a cycle that fails is built at once, not after the wait for the retry', async () => {
  const { deps, shell, insert } = await createPublishingSite();
  const { store } = deps;
  insert('settings', { key: 'timezone', value: 'Mars/Olympus' });
  const mendingStore = {
    ...store,
    snapshot: () => {
      const snapshot = store.snapshot();
      snapshot.position();
      shell.exec('DELETE FROM settings');
      return snapshot;
    },
  };
  const watched = { ...deps, store: mendingStore };
  const { reports, failures } = watchPublisher(watched, { retryMs: AN_HOUR_MS });
  await eventually(() => expect(reports).toHaveLength(1));
  expect(failures).toMatchObject([{ code: 'TIMEZONE_UNKNOWN' }]);
});

test('a commit that a running build did not see is built next', async () => {
  const { deps, insert } = await createPublishingSite();
  const { store } = deps;
  const post = { status: 'published', published_at: '2026-01-01' };
  let isCommitted = false;
  let looks = 0;
  let stateAtSecondLook: unknown;
  let watched: WatchedPublisher | null = null;
  const busyStore = {
    ...store,
    snapshot: () => {
      const snapshot = store.snapshot();
      snapshot.position();
      if (!isCommitted) insert('posts', post);
      isCommitted = true;
      return snapshot;
    },
    // The first look after the build finds the commit, and the second one begins its build.
    dataVersion: () => {
      if (watched?.reports.length === 1) looks += 1;
      if (looks === 2) stateAtSecondLook ??= watched?.publisher.state().state;
      return store.dataVersion();
    },
  };
  watched = watchPublisher({ ...deps, store: busyStore });
  const { reports } = watched;
  await eventually(() => expect(stateAtSecondLook).toBeDefined(), 'the second look for commits');
  expect(stateAtSecondLook).toBe('building');
  await eventually(() => expect(reports).toHaveLength(2), 'the second build');
  expect(reports.map(({ records }) => records)).toEqual([0, 1]);
});

test('a tree that somebody removed is built again', async () => {
  const { deps } = await createPublishingSite();
  const { store, paths } = deps;
  let looks = 0;
  let stateAtSecondLook: unknown;
  let watched: WatchedPublisher | null = null;
  const watchedStore = {
    ...store,
    // At the first look after the build the tree goes, and the second one begins its build.
    dataVersion: () => {
      if (watched?.reports.length === 1) looks += 1;
      if (looks === 1) rmSync(paths.contentFolder, { recursive: true, force: true });
      if (looks === 2) stateAtSecondLook ??= watched?.publisher.state().state;
      return store.dataVersion();
    },
  };
  watched = watchPublisher({ ...deps, store: watchedStore });
  await eventually(() => expect(stateAtSecondLook).toBeDefined(), 'the second look for commits');
  expect(stateAtSecondLook).toBe('building');
  const { reports } = watched;
  await eventually(() => expect(reports).toHaveLength(2), 'the second build');
  expect(parseFile(paths.contentFolder, 'posts/index.json').posts).toEqual([]);
});

test('commits that change nothing of the publication lead to no cycle, and delay none', async () => {
  const { deps, shell, insert } = await createPublishingSite(['site.changed']);
  let looks = 0;
  const watchedStore = {
    ...deps.store,
    publicationMark: () => {
      looks += 1;
      return deps.store.publicationMark();
    },
  };
  const { publisher, reports } = watchPublisher({ ...deps, store: watchedStore });
  await eventually(() => expect(publisher.state().state).toBe('idle'));
  // As the deliverer does.
  const commit = shell.prepare('UPDATE webhooks SET last_triggered_at = ?');
  for (let times = 0; times < 3; times += 1) {
    const before = looks;
    commit.run(times);
    await eventually(() => expect(looks, 'the commit is looked at').toBeGreaterThan(before), 1);
    expect(publisher.state().state).toBe('idle');
  }
  expect(reports).toHaveLength(1);
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  await eventually(() => expect(reports).toHaveLength(2));
  expect(reports[1]?.records).toBe(1);
});

test('commits that follow one another closely are one build', async () => {
  // What settles is never too slow for the longest settle.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { deps, shell, insert } = await createPublishingSite();
  const { store, paths } = deps;
  insert('posts', { status: 'published', published_at: '2026-01-01', title: '' });
  let commits = 0;
  const commit = (): void => void shell.exec("UPDATE posts SET title = title || 'x'");
  const busyStore = {
    ...store,
    // When the publisher looks whether all is quiet, there is one more.
    publicationMark: () => {
      if (commits > 0 && publisher.state().state === 'settling') {
        commits -= 1;
        commit();
      }
      return store.publicationMark();
    },
  };
  const { publisher, reports } = watchPublisher({ ...deps, store: busyStore });
  const changed = (): PublishReport[] => reports.filter(({ files }) => files.written > 0);
  await eventually(() => expect(changed()).toHaveLength(1));
  commits = 3;
  commit();
  const shown = () => parseFile(paths.contentFolder, 'posts/index.json').posts;
  await eventually(() => expect(shown()).toMatchObject([{ title: 'xxxx' }]));
  expect(changed().length).toBeLessThanOrEqual(2);
  await eventually(() => expect(changed()).toHaveLength(2));
});

test.each([
  ['one save of an interface', ['a1'], false],
  ['two saves', ['a1', 'a2'], true],
  ['bulk work', ['bulk:a1'], true],
  ['a commit of another program', [null], true],
] as const)('what settles: %s', async (_what, actions, isSettling) => {
  const { deps, shell, insert } = await createPublishingSite();
  const { store } = deps;
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  let looks = 0;
  let watched: WatchedPublisher | null = null;
  const watchedStore = {
    ...store,
    publicationMark: () => {
      if (watched?.publisher.state().state === 'settling') looks += 1;
      return store.publicationMark();
    },
  };
  watched = watchPublisher({ ...deps, store: watchedStore });
  const { publisher, reports } = watched;
  await eventually(() => expect(publisher.state().state).toBe('idle'));
  looks = 0;
  shell.transaction(() => {
    for (const action of actions) {
      shell.prepare('UPDATE action_scope SET action = ?').run(action);
      shell.exec("UPDATE posts SET title = title || 'x'");
    }
    shell.exec('UPDATE action_scope SET action = NULL');
  })();
  await eventually(() => expect(reports.length).toBeGreaterThan(1));
  expect(looks > 1).toBe(isSettling);
});

test('a change that is whole is not waited with, whoever made it', async () => {
  const { deps, insert } = await createPublishingSite();
  const { store } = deps;
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  let looks = 0;
  let watched: WatchedPublisher | null = null;
  const publicationMark = () => {
    if (watched?.publisher.state().state === 'settling') looks += 1;
    return store.publicationMark();
  };
  watched = watchPublisher({ ...deps, store: { ...store, publicationMark } });
  const { publisher, reports } = watched;
  await eventually(() => expect(publisher.state().state).toBe('idle'));
  looks = 0;
  insert('posts', { status: 'published', published_at: '2026-01-02' });
  publisher.wake({ isWhole: true });
  await eventually(() => expect(reports.length).toBeGreaterThan(1));
  expect(looks).toBe(1);
});

test('the state says how far the running build is', async () => {
  const { deps, insert } = await createPublishingSite();
  const { manifest } = deps;
  for (let at = 0; at < 5; at += 1)
    insert('posts', { status: 'published', published_at: '2026-01-01' });
  const seen: unknown[] = [];
  const watched = {
    ...manifest,
    begin: () => {
      seen.push(publisher.state().progress);
      manifest.begin();
    },
    commit: (state: Parameters<typeof manifest.commit>[0]) => {
      seen.push(publisher.state().progress);
      manifest.commit(state);
    },
  };
  const { publisher, reports } = watchPublisher({ ...deps, manifest: watched });
  await eventually(() => expect(reports).toHaveLength(1));
  expect(seen).toEqual([null, { records: 5, total: 5 }]);
  expect(publisher.state().progress).toBeNull();
});
