import { expect, test } from 'vitest';
import { blobFile } from '../../../../src/content/tree/names.ts';
import { acquireBuildLock } from '../../../../src/publication/store/locks/build-lock.ts';
import {
  beginAnnouncing,
  findPublishedPosition,
} from '../../../../src/publication/store/log/publishing.ts';
import type { PublishDeps } from '../../../../src/publish/cycle/publish-deps.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { findBlobs } from '../../../../src/publish/output/stale/find-blobs.ts';
import { isOnPostgres } from '../../../helpers/publication.ts';
import { createPublishingSite } from '../../../helpers/publishing-site.ts';
import { parseFile, readStatKeys } from '../../../helpers/tree.ts';

const createSite = () =>
  createPublishingSite([
    'site.changed',
    'post.published',
    'post.unpublished',
    'post.added',
    'post.scheduled',
  ]);

test('the first cycle announces the site, the next ones what happened', async () => {
  const { deps, insert, shell, events } = await createSite();
  const post = insert('posts', { status: 'published', published_at: '2026-01-01' });
  expect(await publishOnce(deps)).toMatchObject({ kind: 'full', generation: 1, queued: 1 });
  expect(events()).toEqual(['site.changed']);
  expect(await publishOnce(deps)).toMatchObject({ queued: 0, files: { written: 0 } });
  shell.prepare("UPDATE posts SET status = 'draft' WHERE id = ?").run(post);
  await publishOnce(deps);
  expect(events()).toEqual(['site.changed', 'post.unpublished', 'site.changed']);
  expect(await findPublishedPosition(deps.store)).toMatchObject({ generation: 2 });
});

test('what happens before the first build is announced by it', async () => {
  const { deps, insert, events } = await createSite();
  insert('posts', { title: 'Before' });
  await beginAnnouncing(deps.store, deps.clock.now());
  insert('posts', { title: 'News' });
  await publishOnce(deps);
  await beginAnnouncing(deps.store, deps.clock.now());
  await publishOnce(deps);
  expect(events()).toEqual(['post.added', 'site.changed']);
});

test('a build that forgets removes what earlier generations had, with nothing else to do, and tells nobody', async () => {
  const { deps: made, insert, shell, events } = await createSite();
  const deps = { ...made, config: { ...made.config, keepReplacedHours: 24 } };
  insert('posts', { status: 'published', published_at: '2026-01-01', html: '<p>A slip</p>' });
  await publishOnce(deps);
  shell.exec("UPDATE posts SET html = '<p>Mended</p>'");
  await publishOnce(deps);
  expect(deps.manifest.replacedBlobs().length).toBeGreaterThan(0);
  const told = events();
  const report = await publishOnce(deps, { isForgetting: true });
  expect(events()).toEqual(told);
  expect(report.files.written).toBeLessThan(report.files.removed);
  const standing = findBlobs(deps.paths.contentFolder).map(({ name }) => name);
  expect(standing.sort()).toEqual(deps.manifest.blobNames().map(blobFile).sort());
  expect(deps.manifest.replacedBlobs()).toEqual([]);
  expect(report.generation).toBe(3);
});

test('a draft is announced without a new generation', async () => {
  const { deps, insert, events } = await createSite();
  await publishOnce(deps);
  insert('posts', {});
  await publishOnce(deps);
  expect(events()).toEqual(['site.changed', 'post.added']);
  expect(await findPublishedPosition(deps.store)).toMatchObject({ generation: 1 });
});

test('a draft is announced before a build has placed its files', async () => {
  const { deps, insert, events } = await createSite();
  await publishOnce(deps);
  insert('posts', {});
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  const queued: string[][] = [];
  await publishOnce(deps, { onPlacing: () => queued.push(events()) });
  expect(queued).toEqual([['site.changed', 'post.added']]);
});

test('a crash after the files and before the announcement loses no event and doubles none', async () => {
  const { deps, insert, events } = await createSite();
  await publishOnce(deps);
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  const failing: PublishDeps = {
    ...deps,
    store: {
      ...deps.store,
      write: () => Promise.reject(new Error('the process ends here')),
    },
  };
  await expect(publishOnce(failing)).rejects.toThrow('ends here');
  expect(events()).toEqual(['site.changed']);
  const files = readStatKeys(deps.paths.contentFolder);
  await publishOnce(deps);
  expect(events()).toEqual(['site.changed', 'post.added', 'post.published', 'site.changed']);
  expect(readStatKeys(deps.paths.contentFolder)).toEqual(files);
  await publishOnce(deps);
  expect(events()).toHaveLength(4);
});

test('a scheduled post is published when its time has come, also if nobody ran then', async () => {
  const { deps, clock, insert, events } = await createSite();
  const post = insert('posts', { status: 'scheduled', published_at: '2026-05-02 08:00:00' });
  await publishOnce(deps);
  expect(parseFile(deps.paths.contentFolder, 'posts/index.json').posts).toEqual([]);
  clock.ms += 48 * 3_600_000;
  await publishOnce(deps);
  expect(parseFile(deps.paths.contentFolder, 'posts/index.json').posts).toMatchObject([
    { id: post, published_at: '2026-05-02T08:00:00.000+00:00' },
  ]);
  expect(events()).toContain('post.published');
});

test('published for a time to come is scheduled', async () => {
  const { deps, shell, insert } = await createSite();
  insert('posts', { status: 'published', published_at: '2099-01-01 00:00:00' });
  await publishOnce(deps);
  expect(shell.prepare('SELECT status FROM posts').pluck().get()).toBe('scheduled');
  expect(parseFile(deps.paths.contentFolder, 'posts/index.json').posts).toEqual([]);
});

test('a failed build is recorded, announces nothing, and the next one makes good', async () => {
  const { deps, shell, insert, events } = await createSite();
  await publishOnce(deps);
  insert('posts', { status: 'published', published_at: '2026-01-01' });
  insert('settings', { key: 'timezone', value: 'Mars/Olympus' });
  await expect(publishOnce(deps)).rejects.toMatchObject({ code: 'TIMEZONE_UNKNOWN' });
  expect(events()).toEqual(['site.changed']);
  expect(shell.prepare('SELECT state FROM builds ORDER BY rowid DESC LIMIT 1').pluck().get()).toBe(
    'failed',
  );
  shell.exec('DELETE FROM settings');
  await publishOnce(deps);
  expect(events()).toContain('post.published');
});

test.skipIf(isOnPostgres)(
  'dropped triggers are mended, and what they missed is built',
  async () => {
    const { deps, shell, insert } = await createSite();
    const post = insert('posts', { status: 'published', published_at: '2026-01-01', title: 'Old' });
    await publishOnce(deps);
    shell.exec('DROP TRIGGER prepress_posts_u');
    shell.prepare("UPDATE posts SET title = 'New' WHERE id = ?").run(post);
    expect(await publishOnce(deps)).toMatchObject({
      kind: 'full',
      reason: 'the change log does not follow',
    });
    expect(parseFile(deps.paths.contentFolder, `posts/${post}/index.json`).posts).toMatchObject([
      { title: 'New' },
    ]);
  },
);

test('while another process builds, a cycle waits, and gives up when told to', async () => {
  const { deps } = await createSite();
  const lock = await acquireBuildLock(deps.paths.buildLock, 0);
  await expect(publishOnce(deps, { lockTimeoutMs: 50 })).rejects.toMatchObject({
    code: 'BUILD_BUSY',
  });
  const waiting = publishOnce(deps);
  lock.release();
  expect(await waiting).toMatchObject({ generation: 1 });
});

test.each([
  ['milliseconds', String(Date.parse('2027-01-15T00:00:00Z'))],
  ['milliseconds that sort as an earlier year', String(Date.parse('2033-07-01T00:00:00Z'))],
  ['milliseconds that sort after the present', String(Date.parse('2041-07-01T00:00:00Z'))],
  ['an offset', '2026-05-01T04:00:00-10:00'],
  ['the database form', '2026-05-01 12:00:01'],
])('a time to come given as %s keeps a published post back', async (_, time) => {
  const { deps, shell, insert } = await createSite();
  insert('posts', { status: 'published', published_at: time });
  await publishOnce(deps);
  expect(shell.prepare('SELECT status FROM posts').pluck().get()).toBe('scheduled');
});

/** By how many milliseconds a post saved before the snapshot is ahead of the clock, which `passing` have moved on. */
test.each([
  ['for a later year', 3_000_000_000_000, 0, 0],
  ['for some milliseconds later', 5, 0, 0],
  ['for the present', 0, 20, 1],
])('a post published %s after the start of a cycle', async (_, ahead, passing, shown) => {
  const { deps, clock, insert } = await createSite();
  let isSaved = false;
  const snapshot: PublishDeps['store']['snapshot'] = () => {
    if (!isSaved) {
      clock.ms += passing;
      const published_at = new Date(clock.ms + ahead).toISOString();
      insert('posts', { status: 'published', published_at });
    }
    isSaved = true;
    return deps.store.snapshot();
  };
  const listed = () => parseFile(deps.paths.contentFolder, 'posts/index.json').posts;
  await publishOnce({ ...deps, store: { ...deps.store, snapshot } });
  expect(listed()).toHaveLength(shown);
  clock.ms += ahead;
  await publishOnce(deps);
  expect(listed()).toHaveLength(1);
});

test('html that nests too deeply is named with its row', async () => {
  const { deps, insert } = await createSite();
  const html = '<div>'.repeat(20_000);
  const id = insert('posts', { status: 'published', published_at: '2026-01-01', html });
  await expect(publishOnce(deps, { isStrict: true })).rejects.toMatchObject({
    code: 'BUILD_INPUT_INVALID',
    details: [{ table: 'posts', id, field: 'html' }],
  });
  expect(await publishOnce(deps)).toMatchObject({
    setAside: [expect.stringMatching(new RegExp(`^Row ${id} of posts .*\\(html `))],
  });
});

test.skipIf(isOnPostgres)(
  'a change log that was dropped is made again, and everything is built and compared',
  async () => {
    const { deps, insert, shell, events } = await createSite();
    const post = insert('posts', { status: 'published', published_at: '2026-01-01' });
    await publishOnce(deps);
    // What is due can be published only when the trigger has its log again.
    shell.prepare("UPDATE posts SET status = 'scheduled', title = 'Due' WHERE id = ?").run(post);
    shell.exec('DROP TABLE changes');
    expect(await publishOnce(deps)).toMatchObject({
      kind: 'full',
      reason: 'the change log does not follow',
      generation: 2,
      warnings: [expect.stringContaining('The change log does not continue')],
    });
    expect(parseFile(deps.paths.contentFolder, 'posts/index.json').posts).toMatchObject([
      { title: 'Due' },
    ]);
    expect(events()).toEqual(['site.changed', 'site.changed']);
    expect(await publishOnce(deps)).toMatchObject({ files: { written: 0 }, queued: 0 });
  },
);

test.skipIf(isOnPostgres).each([
  [7_000, 5_000],
  [28_000, 7_000],
])(
  'of a log of %i changes a cycle forgets %i, and never the row that the tree shows',
  async (edits, forgotten) => {
    const { deps, insert, shell } = await createSite();
    const log = (): unknown =>
      shell.prepare('SELECT min(seq), max(seq), count(*) FROM changes').raw().get();
    const post = insert('posts', { status: 'published', published_at: '2026-01-01' });
    await publishOnce(deps);
    const [start] = log() as [number];
    shell.transaction(() => {
      const edit = shell.prepare('UPDATE posts SET title = ? WHERE id = ?');
      for (let at = 0; at < edits; at += 1) edit.run(`Title ${at}`, post);
    })();
    expect(await publishOnce(deps)).toMatchObject({ records: 1 });
    const left = edits - forgotten;
    expect(log()).toEqual([start + forgotten, start + edits, left + 1]);
    expect(await publishOnce(deps)).toMatchObject({ files: { written: 0 } });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      shell.prepare('UPDATE posts SET title = ? WHERE id = ?').run(name, post);
      expect(await publishOnce(deps)).toMatchObject({ kind: 'incremental', records: 1 });
    }
    expect(log()).toEqual([start + edits + 6, start + edits + 6, 1]);
  },
);
