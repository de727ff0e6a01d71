// Other programs alter the database: their columns and tables come and go without us in the way, and what
// we need of ours is made again or missed with one sentence.

import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import type { Store } from '../../../../src/publication/store/store.ts';
import { RECORD_TABLES } from '../../../../src/publication/tables/record-tables.ts';
import { changesOf } from '../../../helpers/changes.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

/** A connection that saw the gap goes on failing until a statement of its own reads the schema again. */
const rereadSchema = (shell: Publication['shell']): unknown =>
  shell.prepare('SELECT 1 FROM posts').get();

const openSnapshot = async <T>(
  store: Store,
  read: (snapshot: ReturnType<Store['snapshot']>) => T | Promise<T>,
): Promise<T> => {
  const snapshot = store.snapshot();
  try {
    return await read(snapshot);
  } finally {
    snapshot.close();
  }
};

test.each(['x', "it's", 'a"b', 'semi; colon', 'übung \u{1f600}', ''])(
  'a column "%s" of another program is no concern of ours',
  async (column) => {
    const { path, store, shell, insert } = await createPublication();
    const name = `"${column.replaceAll('"', '""')}"`;
    for (const table of Object.keys(RECORD_TABLES))
      shell.exec(`ALTER TABLE ${table} ADD COLUMN ${name}`);
    expect(await store.mendTriggers()).toBe(false);
    const again = await openStore(path);
    const post = insert('posts', {});
    shell.prepare(`UPDATE posts SET ${name} = 'x' WHERE id = ?`).run(post);
    shell.prepare(`UPDATE posts SET title = 'Other', ${name} = 'y' WHERE id = ?`).run(post);
    await openSnapshot(again, async (snapshot) => {
      expect((await changesOf(snapshot)).map(({ op }) => op)).toEqual(['i', 'u']);
      expect(snapshot.rows('posts', [post])).toMatchObject([{ id: post, [column]: 'y' }]);
    });
    for (const table of Object.keys(RECORD_TABLES))
      shell.exec(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    await again.close();
    expect(await store.mendTriggers()).toBe(false);
    shell.prepare('DELETE FROM posts').run();
  },
);

test.each(['changes', 'action_scope', 'log_state'])('a dropped %s is made again', async (table) => {
  const { store, shell, insert } = await createPublication();
  insert('posts', {});
  const position = await openSnapshot(store, (snapshot) => snapshot.position());
  const mark = store.publicationMark();
  shell.exec(`DROP TABLE ${table}`);
  expect(store.publicationMark()).not.toEqual(mark);
  expect(await store.mendTriggers()).toBe(true);
  expect(await store.mendTriggers()).toBe(false);
  expect(await openSnapshot(store, (snapshot) => snapshot.follows(position))).toBe(false);
  rereadSchema(shell);
  const post = insert('posts', {});
  await store.write(
    (tx) => db(tx).updateTable('posts').set({ title: 'New' }).where('id', '=', post).execute(),
    { action: 'a1' },
  );
  const changes = (await openSnapshot(store, (snapshot) => changesOf(snapshot))).slice(-2);
  expect(changes.map(({ op, record_id, action }) => [op, record_id, action])).toEqual([
    ['i', post, null],
    ['u', post, 'a1'],
  ]);
});

test('a snapshot that fails leaves no transaction open', async () => {
  const { store, shell, insert } = await createPublication();
  const id = insert('posts', { status: 'published' });
  const cutLog = (): unknown => shell.pragma('wal_checkpoint(TRUNCATE)');
  shell.exec('ALTER TABLE posts_meta RENAME COLUMN email_subject TO subject_of_email');
  for (let times = 0; times < 3; times += 1) {
    await expect(
      openSnapshot(store, (snapshot) => snapshot.sources('posts', [id])),
    ).rejects.toThrow();
  }
  expect(cutLog()).toMatchObject([{ busy: 0 }]);
  shell.exec('DROP TABLE log_state');
  for (let times = 0; times < 3; times += 1) expect(() => store.snapshot()).toThrow();
  expect(cutLog()).toMatchObject([{ busy: 0 }]);
});

test('the change log is made again for a copy that is opened without it', async () => {
  const { path, shell, insert } = await createPublication();
  shell.exec('DROP TABLE changes');
  await (await openStore(path)).close();
  rereadSchema(shell);
  insert('posts', {});
  expect(shell.prepare('SELECT count(*) FROM changes').pluck().get()).toBe(1);
});

test('a table made again without some of our columns fails no writer in a trigger', async () => {
  const { store, shell } = await createPublication();
  shell.pragma('foreign_keys = OFF');
  shell.exec(`CREATE TABLE rebuilt AS SELECT id, name, visibility FROM tags; DROP TABLE tags;
    ALTER TABLE rebuilt RENAME TO tags`);
  expect(await store.mendTriggers()).toBe(true);
  shell.prepare("INSERT INTO tags VALUES ('1', 'one', 'public')").run();
  shell.prepare("UPDATE tags SET name = 'two'").run();
  shell.exec(`CREATE TABLE rebuilt AS SELECT id, type, html FROM posts; DROP TABLE posts;
    ALTER TABLE rebuilt RENAME TO posts`);
  expect(await store.mendTriggers()).toBe(true);
  shell.prepare("INSERT INTO posts VALUES ('1', 'post', 'one')").run();
  shell.prepare("UPDATE posts SET html = 'two'").run();
});

test.each([
  ['ALTER TABLE tags RENAME COLUMN id TO key', 'The database has no table tags with a column id.'],
  ['DROP TABLE posts_meta', 'The database has no table posts_meta with a column id.'],
])('after %s one sentence says what is missing', async (statement, message) => {
  const { store, shell } = await createPublication();
  shell.pragma('foreign_keys = OFF');
  shell.exec(statement);
  await expect(store.mendTriggers()).rejects.toMatchObject({ code: 'DATABASE_ALTERED', message });
});
