// A disk changes a bit of an index: SQLite answers by it without a word. What is read by id is not taken
// from another row, nor for removed when it stands; and the reading of everything names the index.
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver, type SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { openSnapshot } from '../../../../src/publication/snapshot/open-snapshot.ts';
import type { Snapshot } from '../../../../src/publication/snapshot/snapshot.ts';
import { flipBit } from '../../../helpers/flip-bit.ts';
import { createPublication, insertRow, openPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

type Ids = { readonly post: string; readonly tag: string; readonly author: string };

const makePublication = async (): Promise<Ids & { readonly path: string }> => {
  const { path, shell, close } = await openPublication(temporaryFolder());
  const tag = insertRow(shell, 'tags', {});
  const author = insertRow(shell, 'users', {});
  const post = insertRow(shell, 'posts', { status: 'published', published_at: '2026-01-01' });
  insertRow(shell, 'posts_tags', { post_id: post, tag_id: tag });
  insertRow(shell, 'posts_authors', { post_id: post, author_id: author });
  await close();
  return { path, post, tag, author };
};

const open = (path: string): Snapshot => {
  const snapshot = openSnapshot(path);
  onTestFinished(snapshot.close);
  return snapshot;
};

const DAMAGED = expect.objectContaining({
  code: 'DATABASE_UNREADABLE',
  message: expect.stringMatching(/^The database is damaged: an index of \w+ is wrong about /),
});

test.each([
  ['posts', 'sqlite_autoindex_posts_1', 'post'],
  ['tags', 'sqlite_autoindex_tags_1', 'tag'],
  ['users', 'sqlite_autoindex_users_1', 'author'],
] as const)('an index of %s that a bit was turned in', async (table, index, record) => {
  const { path, ...ids } = await makePublication();
  const id = ids[record];
  expect(open(path).missing(table, [id])).toEqual([]);
  expect(open(path).faults()).toEqual([]);
  const turned = flipBit(path, index, id);
  const snapshot = open(path);
  expect(() => snapshot.missing(table, [id])).toThrow(DAMAGED);
  expect(() => snapshot.sources('posts', [ids.post])).toThrow(DAMAGED);
  const resource = ({ posts: 'posts', tags: 'tags', users: 'authors' } as const)[table];
  expect(() => snapshot.sources(resource, [id])).toThrow(DAMAGED);
  expect(() => snapshot.keysOf(resource, [turned])).toThrow(DAMAGED);
  expect(snapshot.faults().join('\n')).toContain(index);
});

test('what is not there is missing, and nothing more', async () => {
  const { path, post, tag } = await makePublication();
  const snapshot = open(path);
  const absent = 'f'.repeat(24);
  expect(snapshot.missing('posts', [absent, post])).toEqual([absent]);
  expect(snapshot.missing('tags', [tag, absent])).toEqual([absent]);
  expect(snapshot.keysOf('posts', [absent, post]).map(({ id }) => id)).toEqual([post]);
  expect(snapshot.sources('tags', [absent])).toEqual([]);
  expect(() => snapshot.sources('posts', [absent])).toThrow(DAMAGED);
});

test('a value that the schema does not allow is no damage', async () => {
  const { path, shell } = await createPublication();
  shell.pragma('ignore_check_constraints = ON');
  insertRow(shell, 'posts', { id: 'odd' });
  expect(open(path).faults()).toEqual([]);
});

test('an index that only another program can read hides no damage elsewhere', async () => {
  const { path, tag } = await makePublication();
  const shell = new (loadDriver())(path);
  shell.function('odd', { deterministic: true }, (text) => text);
  shell.exec('CREATE INDEX odd_titles ON posts (odd(title))');
  shell.close();
  expect(open(path).faults()).toEqual([]);
  flipBit(path, 'sqlite_autoindex_tags_1', tag);
  expect(open(path).faults().join('\n')).toContain('sqlite_autoindex_tags_1');
});

const COPIED = ['posts', 'tags', 'users'] as const;

type Remade = {
  readonly key?: string;
  readonly end?: string;
  readonly more?: readonly string[];
};

/** Makes a table again: its columns and `more`, with `key` behind the first column and `end` behind them all. */
const remake = (
  shell: SqliteConnection,
  table: string,
  { key = '', end = '', more = [] }: Remade,
): void => {
  const columns = (shell.pragma(`table_info(${table})`) as { name: string }[]).map(
    ({ name }) => `"${name}"`,
  );
  const [id = '', ...rest] = columns;
  shell.pragma('foreign_keys = OFF');
  shell.pragma('legacy_alter_table = ON');
  shell.exec(`CREATE TABLE made (${[`${id} TEXT ${key}`, ...rest, ...more].join(', ')}) ${end};
    INSERT INTO made (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${table};
    DROP TABLE ${table}; ALTER TABLE made RENAME TO ${table}`);
};

type Alter = (shell: SqliteConnection, table: string) => void;

const remadeWith =
  (remade: Remade): Alter =>
  (shell, table) =>
    remake(shell, table, remade);

const KEYED = { key: 'PRIMARY KEY' };

test.each<[string, Alter]>([
  ...['place', 'found', 'asked', 'value'].map((name): [string, Alter] => [
    `a column ${name}`,
    (shell, table) => shell.exec(`ALTER TABLE ${table} ADD COLUMN ${name} TEXT DEFAULT 'other'`),
  ]),
  // Newer versions of SQLite refuse to add these, but not to make a table with them.
  ...["rowid TEXT DEFAULT 'other'", "ROWID TEXT DEFAULT 'other'", "rowid AS ('other') VIRTUAL"].map(
    (column): [string, Alter] => [`a column ${column}`, remadeWith({ ...KEYED, more: [column] })],
  ),
  ['columns of all names of places', remadeWith({ ...KEYED, more: ['rowid', '_rowid_', 'oid'] })],
  ['no key', remadeWith({})],
  ['no places', remadeWith({ ...KEYED, end: 'WITHOUT ROWID' })],
  ['ids in any case', remadeWith({ key: 'COLLATE NOCASE PRIMARY KEY' })],
])('tables with %s are read as before', async (_, alter) => {
  const { path, post, tag, author } = await makePublication();
  const shell = new (loadDriver())(path);
  onTestFinished(() => {
    shell.close();
  });
  for (const table of COPIED) alter(shell, table);
  const snapshot = open(path);
  expect(snapshot.keysOf('posts', [post]).map(({ id }) => id)).toEqual([post]);
  expect(snapshot.keysOf('tags', [tag]).map(({ id }) => id)).toEqual([tag]);
  expect(snapshot.sources('posts', [post])).toMatchObject([
    { post: { id: post }, tags: [{ id: tag }], authors: [{ id: author }] },
  ]);
  expect(snapshot.sources('authors', [author])).toMatchObject([{ author: { id: author } }]);
  for (const [table, id] of [
    ['posts', post],
    ['tags', tag],
    ['users', author],
  ] as const) {
    expect(snapshot.missing(table, [id, 'ABC'])).toEqual(['ABC']);
  }
  expect(snapshot.faults()).toEqual([]);
});
