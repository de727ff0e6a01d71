// Rows that were here before their source was followed, under ids of their own: they are the source's from then on.
import { expect, test } from 'vitest';
import { deriveId } from '../../../../src/base/ids.ts';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import type { Source } from '../../../../src/publication/sources/source.ts';
import { endFollowing } from '../../../../src/publication/store/import/following.ts';
import { openGhost } from '../../../helpers/ghost-database.ts';
import {
  createPublication,
  insertRow,
  type Publication,
  uuidOf,
} from '../../../helpers/publication.ts';

type Scene = Publication & {
  readonly ghost: SqliteConnection;
  readonly source: Source;
  /** Changes the source and looks at it. */
  readonly after: (sql: string) => Promise<unknown>;
};

const MIA = 'Mia@Example.org';
const NOAH = 'noah@example.org';
const linksOf = (email: string): string =>
  `DELETE FROM members_newsletters WHERE member_id IN
    (SELECT id FROM members WHERE email = '${email}')`;

/** The first look is the first change. */
const openScene = async (): Promise<Scene> => {
  const publication = await createPublication();
  const { store } = publication;
  const { ghost, source } = openGhost();
  let begins = true;
  const after = async (sql: string): Promise<void> => {
    ghost.exec(sql);
    await syncOnce({ store, source }, { begins });
    begins = false;
  };
  return { ...publication, ghost, source, after };
};

/** Members with their newsletter, as another program made them; returns their ids. */
const insertMembers = ({ ghost, insert }: Scene): string[] => {
  const slug = ghost.prepare('SELECT slug FROM newsletters').pluck().get();
  const made = { uuid: uuidOf('n'), name: 'Ours', created_at: '2026-01-01 00:00:00' };
  const newsletter_id = insert('newsletters', { ...made, slug });
  return [MIA, NOAH].map((email) => {
    const member_id = insert('members', { email });
    insert('members_newsletters', { member_id, newsletter_id });
    return member_id;
  });
};

const subscribed = ({ shell }: Scene): unknown[] =>
  shell.prepare('SELECT member_id FROM members_newsletters').pluck().all().sort();

test('links and members go with those of the source', async () => {
  const scene = await openScene();
  const [mia = '', noah = ''] = insertMembers(scene);
  await scene.after('');
  expect(subscribed(scene)).toEqual([mia, noah].sort());
  await scene.after(linksOf(NOAH));
  expect(subscribed(scene)).toEqual([mia]);
  await scene.after(`DELETE FROM members WHERE email = '${NOAH}'`);
  expect(scene.shell.prepare('SELECT id FROM members').pluck().all()).toEqual([mia]);
});

test('who takes the address of another member leaves for both, until it is given back', async () => {
  const scene = await openScene();
  const [mia = '', noah = ''] = insertMembers(scene);
  await scene.after('');
  const moved = (from: string, to: string): string =>
    `UPDATE members SET email = '${to}' WHERE email = '${from}'`;
  const taken = MIA.toUpperCase();
  await scene.after(moved(NOAH, taken));
  expect(subscribed(scene)).toEqual([mia, noah].sort());
  await scene.after(linksOf(taken));
  expect(subscribed(scene)).toEqual([]);
  await scene.after(moved(taken, NOAH));
  expect(subscribed(scene)).toEqual([mia]);
});

test('a tag goes that cannot be read and may be internal now, but not with one row of two', async () => {
  const { ghost, insert, shell, after } = await openScene();
  const found = ghost.prepare('SELECT * FROM tags ORDER BY id').get();
  const { id, ...tag } = found as Record<string, string>;
  const own = insert('tags', { slug: tag.slug });
  const twin = 'e'.repeat(24);
  insertRow(ghost, 'tags', { ...tag, id: twin });
  const isThere = (): boolean =>
    shell.prepare('SELECT 1 FROM tags WHERE id = ?').get(own) !== undefined;
  await after('');
  await after(`DELETE FROM tags WHERE id = '${twin}'`);
  expect(isThere()).toBe(true);
  await after(`UPDATE tags SET visibility = 'internal', name = x'00' WHERE id = '${id}'`);
  expect(isThere()).toBe(false);
});

test('a row of posts_meta that goes gives its post to readers again', async () => {
  const { ghost, insert, shell, after } = await openScene();
  const id = ghost.prepare('SELECT post_id FROM posts_meta').pluck().get();
  insert('posts', { id });
  insert('posts_meta', { post_id: id });
  const status = shell.prepare('SELECT status FROM posts WHERE id = ?').pluck();
  await after(
    `UPDATE posts_meta SET email_only = 1; UPDATE posts SET status = 'published' WHERE id = '${id}'`,
  );
  expect(status.get(id)).toBe('sent');
  await after('DELETE FROM posts_meta');
  expect(status.get(id)).toBe('published');
});

test('a post whose last author goes goes to the owner', async () => {
  const { ghost, insert, shell, after } = await openScene();
  await after('');
  const link = ghost.prepare('SELECT id, post_id FROM posts_authors').get();
  const { id, post_id } = link as { id: string; post_id: string };
  await after(`DELETE FROM posts_authors WHERE post_id = '${post_id}' AND id <> '${id}'`);
  // As a program makes it that takes the author off and puts it on again.
  const author_id = shell
    .prepare('SELECT author_id FROM posts_authors WHERE id = ?')
    .pluck()
    .get(id);
  shell.prepare('DELETE FROM posts_authors WHERE id = ?').run(id);
  insert('posts_authors', { post_id, author_id });
  await after(`UPDATE posts_authors SET sort_order = 5 WHERE id = '${id}'`);
  await after(`DELETE FROM posts_authors WHERE id = '${id}'`);
  const authors = shell.prepare('SELECT id FROM posts_authors WHERE post_id = ?').pluck();
  expect(authors.all(post_id)).toEqual([deriveId('posts_authors', post_id)]);
});

test('an import after the source was left finds the same rows, and its own rows count from then on', async () => {
  const scene = await openScene();
  const [mia = '', noah = ''] = insertMembers(scene);
  const { ghost, insert, shell, store, source, after } = scene;
  const tag = insert('tags', { slug: ghost.prepare('SELECT slug FROM tags').pluck().get() });
  await after('');
  const rows = () =>
    ['tags', 'newsletters', 'members'].map((table) =>
      shell.prepare(`SELECT * FROM ${table} ORDER BY id`).all(),
    );
  const before = rows();
  expect(JSON.stringify(before)).toContain(tag);
  await store.write((tx) => endFollowing(tx, 1));
  await importSource(store, source);
  expect(rows()).toEqual(before);
  expect(subscribed(scene)).toEqual([mia, noah].sort());
  shell.prepare("UPDATE tags SET slug = 'moved' WHERE id = ?").run(tag);
  await importSource(store, source);
  await syncOnce({ store, source }, { begins: true });
  const slugs = shell.prepare('SELECT slug FROM tags ORDER BY slug').pluck().all();
  const theirs = ghost.prepare('SELECT slug FROM tags ORDER BY slug').pluck().all();
  expect(slugs).toEqual([...theirs, 'moved'].sort());
});
