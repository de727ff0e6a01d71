// A field that a later version adds: one entry in the table of columns and one migration. Reading, logging,
// events and imports follow with no further edit.
import { expect, test, vi } from 'vitest';
import type { PostRow } from '../../../src/store/rows.ts';
import { changesWithOld } from '../../helpers/changes.ts';
import { namesOf, plan, positionOf } from '../../helpers/events.ts';
import { createPublication } from '../../helpers/publication.ts';
import { importData } from '../importers/ghost-import.ts';

vi.mock('../../../src/store/record-columns.ts', async (load) => {
  const { RECORD_COLUMNS, ...rest } =
    await load<typeof import('../../../src/store/record-columns.ts')>();
  const shown = RECORD_COLUMNS.posts.title;
  const kept = RECORD_COLUMNS.posts.locale;
  const posts = { ...RECORD_COLUMNS.posts, added_text: shown, remark: kept };
  const posts_meta = { ...RECORD_COLUMNS.posts_meta, og_video: shown };
  return { ...rest, RECORD_COLUMNS: { ...RECORD_COLUMNS, posts, posts_meta } };
});

vi.mock('../../../src/store/sqlite/migrations.ts', async (load) => {
  const { PUBLICATION_MIGRATIONS } =
    await load<typeof import('../../../src/store/sqlite/migrations.ts')>();
  const sql = `ALTER TABLE posts ADD COLUMN added_text TEXT; ALTER TABLE posts ADD COLUMN remark TEXT;
    ALTER TABLE posts_meta ADD COLUMN og_video TEXT`;
  const added = { number: 1_000, name: 'added', sql };
  return { PUBLICATION_MIGRATIONS: [...PUBLICATION_MIGRATIONS, added] };
});

const POST = {
  status: 'published',
  published_at: '2026-01-01T10:00:00.000Z',
  added_text: 'Old',
  remark: 'Old',
};

test('a column that was added is read, and its change is logged', async () => {
  const { store, shell, insert } = await createPublication();
  const id = insert('posts', POST);
  insert('posts_meta', { post_id: id, og_video: 'v' });
  shell.exec(
    "UPDATE posts SET added_text = 'New', remark = 'New'; UPDATE posts_meta SET og_video = 'w'",
  );
  const snapshot = store.snapshot();
  const [source] = snapshot.sources('posts', [id]);
  const logged = (await changesWithOld(snapshot, 2)).map(({ entity, old }) => [entity, old]);
  snapshot.close();
  const post = source?.post as PostRow & Record<string, unknown>;
  expect(post).toMatchObject({ added_text: 'New', og_video: 'w' });
  expect(post).not.toHaveProperty('remark');
  expect(logged).toMatchObject([
    ['posts', { added_text: 'Old', remark: 'Old' }],
    ['posts_meta', { og_video: 'v' }],
  ]);
});

test('its change is an event when a published byte may show it', async () => {
  const publication = await createPublication();
  const { shell, insert } = publication;
  insert('posts', POST);
  const after = positionOf(publication);
  shell.exec("UPDATE posts SET remark = 'New'");
  expect(namesOf(await plan(publication, after))).toEqual([]);
  shell.exec("UPDATE posts SET added_text = 'New'");
  const names = namesOf(await plan(publication, after));
  expect(names).toEqual(['post.published.edited', 'post.edited']);
});

test('an import takes it, from the post itself too', async () => {
  const publication = await createPublication();
  const id = '0'.repeat(23).concat('a');
  await importData(publication, {
    posts: [
      {
        id,
        uuid: 'u',
        title: 'T',
        slug: 't',
        created_at: '2026-01-01',
        added_text: 'S',
        og_video: 'v',
      },
    ],
  });
  const read = (sql: string): unknown => publication.shell.prepare(sql).pluck().get();
  expect(read('SELECT added_text FROM posts')).toBe('S');
  expect(read('SELECT og_video FROM posts_meta')).toBe('v');
});

test('a column of another program is no edit', async () => {
  const publication = await createPublication();
  const { shell, insert, store } = publication;
  shell.exec('ALTER TABLE posts ADD COLUMN theirs TEXT');
  await store.mendTriggers();
  insert('posts', POST);
  const after = positionOf(publication);
  shell.exec("UPDATE posts SET theirs = 'x'");
  shell.exec('UPDATE posts SET title = title');
  expect(namesOf(await plan(publication, after))).toEqual([]);
});
