import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import { changesOf, changesWithOld } from '../../../helpers/changes.ts';
import { createPublication, isOnPostgres } from '../../../helpers/publication.ts';

test('every insert, update and delete is logged with the row before', async () => {
  const { store, shell, insert } = await createPublication();
  const post = insert('posts', { title: 'First', html: '<p>a</p>' });
  shell.prepare('UPDATE posts SET title = ? WHERE id = ?').run('Second', post);
  shell.prepare('DELETE FROM posts WHERE id = ?').run(post);
  const snapshot = store.snapshot();
  const changes = await changesWithOld(snapshot);
  snapshot.close();
  expect(changes.map(({ entity, op, record_id }) => [entity, op, record_id])).toEqual([
    ['posts', 'i', post],
    ['posts', 'u', post],
    ['posts', 'd', post],
  ]);
  expect(changes[1]?.old).toMatchObject({ title: 'First', html: true });
  expect(changes[2]?.old).toMatchObject({ title: 'Second', html: '<p>a</p>' });
});

test.skipIf(isOnPostgres)(
  'a row that REPLACE removes through a unique column is logged',
  async () => {
    const { store, shell, insert } = await createPublication();
    const first = insert('posts', { slug: 'same' });
    const second = insert('posts', { slug: 'other' });
    shell.prepare('UPDATE OR REPLACE posts SET slug = ? WHERE id = ?').run('same', second);
    shell
      .prepare(
        'INSERT OR REPLACE INTO posts (id, uuid, title, slug, created_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run('0'.repeat(24), 'u', 't', 'same', '2026-01-01');
    const snapshot = store.snapshot();
    const replaced = (await changesOf(snapshot)).filter(({ op }) => op === 'r');
    snapshot.close();
    expect(replaced.map(({ record_id }) => record_id)).toEqual([first, second]);
  },
);

test('deleting a tag logs its links, and the action of an admin save stands on each row', async () => {
  const { store, insert } = await createPublication();
  const post = insert('posts', {});
  const tag = insert('tags', {});
  insert('posts_tags', { post_id: post, tag_id: tag });
  const before = store.snapshot();
  const { seq } = before.position();
  before.close();
  await store.write((tx) => db(tx).deleteFrom('tags').where('id', '=', tag).execute(), {
    action: 'a1',
  });
  const snapshot = store.snapshot();
  const changes = await changesOf(snapshot, seq);
  snapshot.close();
  expect(
    changes.map(({ entity, op, record_id, other_id, action }) => ({
      entity,
      op,
      record_id,
      other_id,
      action,
    })),
  ).toEqual(
    expect.arrayContaining([
      { entity: 'posts_tags', op: 'd', record_id: post, other_id: tag, action: 'a1' },
      { entity: 'tags', op: 'd', record_id: tag, other_id: null, action: 'a1' },
    ]),
  );
});

test.skipIf(isOnPostgres)(
  'a position follows the log until the log or its triggers are touched',
  async () => {
    const { store, shell, insert } = await createPublication();
    insert('posts', {});
    const earlier = store.snapshot();
    const position = earlier.position();
    earlier.close();
    insert('posts', {});
    const follows = (): boolean => {
      const snapshot = store.snapshot();
      const result = snapshot.follows(position);
      snapshot.close();
      return result;
    };
    expect(follows()).toBe(true);
    expect(await store.mendTriggers()).toBe(false);
    shell.exec('DROP TRIGGER prepress_posts_d');
    expect(await store.mendTriggers()).toBe(true);
    expect(follows()).toBe(false);
  },
);

test('a published post gets its time, and plaintext does not outlive its html', async () => {
  const { shell, insert } = await createPublication();
  const post = insert('posts', { html: '<p>a</p>', plaintext: 'a' });
  shell.prepare("UPDATE posts SET status = 'published', html = '<p>b</p>' WHERE id = ?").run(post);
  const row = shell.prepare('SELECT published_at, plaintext FROM posts').get();
  expect(row).toEqual({ published_at: expect.stringMatching(/^\d{4}-.*Z$/), plaintext: null });
});
