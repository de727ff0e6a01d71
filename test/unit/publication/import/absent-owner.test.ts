// A source whose owner has no user row that can be taken: its posts have the authors they have, another known author, or
// none, and what changes later is taken as ever.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import { openGhost } from '../../../helpers/ghost-database.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { buildInto, readTree } from '../../../helpers/tree.ts';
import { importData, readData, rowsOf } from './ghost-import.ts';

const OWNER = '1'.padStart(24, '0');
const EDITOR = 'a00000000000000000000032';
/** Without an author in the source. */
const ALONE = 'a00000000000000000000004';

/** Each leaves no row of the owner that can be taken. */
const LOST: Readonly<Record<string, string>> = {
  'no slug': "UPDATE users SET slug = '' WHERE id = '1'",
  'a name of bytes': "UPDATE users SET name = x'00ff' WHERE id = '1'",
  'no row': "DELETE FROM users WHERE id = '1'",
};

const authorsOf = ({ shell }: Publication, post: string): unknown[] =>
  shell.prepare('SELECT author_id FROM posts_authors WHERE post_id = ?').pluck().all(post);

const builtPost = async ({ store, folder }: Publication, slug: string): Promise<string> => {
  const output = join(folder, 'output');
  await buildInto(store, output);
  return readTree(join(output, 'content')).get(`posts/slug/${slug}/index.json`) ?? '';
};

test.each(Object.entries(LOST))('an owner with %s is imported around', async (_what, sql) => {
  const { ghost, source } = openGhost();
  ghost.exec(sql);
  const publication = await createPublication();
  const { tables } = await importSource(publication.store, source);
  expect(tables.posts?.added).toBe(5);
  expect(authorsOf(publication, ALONE)).toEqual([EDITOR]);
});

test('an owner that is absent does not hide one that is there', async () => {
  const { ghost, source } = openGhost();
  const role = ghost.prepare("SELECT id FROM roles WHERE name = 'Owner'").pluck().get();
  ghost
    .prepare('INSERT INTO roles_users (rowid, id, role_id, user_id) VALUES (-1, ?, ?, ?)')
    .run('0'.repeat(24), role, 'e'.repeat(24));
  const publication = await createPublication();
  await importSource(publication.store, source);
  expect(authorsOf(publication, ALONE)).toEqual([OWNER]);
});

test.each(['absent', 'empty'])(
  'the posts of an export whose users are %s are given to an owner that is made',
  async (how) => {
    const data = readData();
    if (how === 'absent') delete data.users;
    else data.users = [];
    const publication = await createPublication();
    expect((await importData(publication, data)).tables.posts?.added).toBe(5);
    const { shell } = publication;
    for (const id of shell.prepare('SELECT id FROM posts').pluck().all() as string[]) {
      expect(authorsOf(publication, id)).toEqual([OWNER]);
    }
    const slug = rowsOf(data, 'posts').find(({ status }) => status === 'published')?.slug;
    expect(await builtPost(publication, String(slug))).toContain(`"slug":"${slug}"`);
    // The users of a later export take the place of the one that was made.
    await importData(publication, readData());
    expect(shell.prepare('SELECT slug FROM users WHERE id = ?').pluck().get(OWNER)).toBe(
      rowsOf(readData(), 'users').find(({ id }) => String(id).padStart(24, '0') === OWNER)?.slug,
    );
    expect(authorsOf(publication, ALONE)).toEqual([OWNER]);
  },
);

test.each(Object.entries(LOST))(
  'a follower goes on when the owner has %s, and when the row is back',
  async (what, sql) => {
    const { ghost, source } = openGhost();
    const owner = ghost.prepare("SELECT * FROM users WHERE id = '1'").get() as Record<
      string,
      unknown
    >;
    const publication = await createPublication();
    const { store } = publication;
    await syncOnce({ store, source }, { begins: true });
    ghost.exec(sql);
    await syncOnce({ store, source });
    // Of a row that cannot be read the last readable version stays.
    expect(authorsOf(publication, ALONE)).toEqual([what === 'no row' ? EDITOR : OWNER]);
    ghost.exec("UPDATE posts SET title = 'Edited', updated_at = '2026-05-01 00:00:00'");
    await syncOnce({ store, source });
    expect(publication.shell.prepare('SELECT DISTINCT title FROM posts').pluck().all()).toEqual([
      'Edited',
    ]);
    const names = Object.keys(owner);
    ghost
      .prepare(
        `INSERT OR REPLACE INTO users (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      )
      .run(Object.values(owner));
    await syncOnce({ store, source });
    expect(authorsOf(publication, ALONE)).toEqual([OWNER]);
  },
);

test('a follower gives posts without an author to whoever is the owner now', async () => {
  const { ghost, source } = openGhost();
  const publication = await createPublication();
  const { store } = publication;
  await syncOnce({ store, source }, { begins: true });
  expect(authorsOf(publication, ALONE)).toEqual([OWNER]);
  const roleOf = (name: string): unknown =>
    ghost.prepare('SELECT id FROM roles WHERE name = ?').pluck().get(name);
  const give = ghost.prepare('UPDATE roles_users SET role_id = ? WHERE user_id = ?');
  give.run(roleOf('Administrator'), '1');
  give.run(roleOf('Owner'), EDITOR);
  await syncOnce({ store, source });
  expect(authorsOf(publication, ALONE)).toEqual([EDITOR]);
});
