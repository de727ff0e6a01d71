import { expect, test } from 'vitest';
import type { Position } from '../../../../src/publication/snapshot/snapshot.ts';
import { RECORD_TABLES } from '../../../../src/publication/tables/record-tables.ts';
import { type Plan, planBuild } from '../../../../src/publish/build/plan.ts';
import type { ManifestState } from '../../../../src/publish/manifest/manifest.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';

const ROOT = '/tree';

const planAfter = async (
  edit: (publication: Publication, ids: Readonly<Record<string, string>>) => void,
): Promise<{ readonly touched: string } | string> => {
  const publication = await createPublication();
  const { store, insert } = publication;
  const ids: Record<string, string> = {};
  for (const name of ['t1', 't2']) ids[name] = insert('tags', {});
  for (const name of ['a1', 'a2']) ids[name] = insert('users', {});
  for (const [name, type] of [
    ['post1', 'post'],
    ['post2', 'post'],
    ['page1', 'page'],
  ] as const) {
    ids[name] = insert('posts', { type, status: 'published' });
    insert('posts_tags', { id: `${name}-t1`, post_id: ids[name], tag_id: ids.t1 });
    insert('posts_authors', { id: `${name}-a1`, post_id: ids[name], author_id: ids.a1 });
  }
  const before = store.snapshot();
  const state: ManifestState = {
    root: ROOT,
    fingerprint: 'f',
    position: before.position(),
    generation: 1,
  };
  before.close();
  edit(publication, ids);
  const snapshot = store.snapshot();
  const plan = await planBuild({
    isFullAsked: false,
    state,
    root: ROOT,
    fingerprint: 'f',
    isTreeTrusted: () => true,
    snapshot,
  });
  snapshot.close();
  if (plan.kind === 'full') return plan.reason;
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const named = (ids: ReadonlySet<string>): string[] =>
    [...ids].map((id) => names.get(id) ?? '?').sort();
  const { posts, pages, tags, authors } = plan.touched;
  // A row of posts is looked at as a post and as a page: the two sets are one here.
  expect(named(pages)).toEqual(named(posts));
  return { touched: [...named(posts), ...named(tags), ...named(authors)].join(' ') };
};

const run = (sql: string) => (publication: Publication, ids: Readonly<Record<string, string>>) => {
  publication.shell.exec(sql.replace(/:(\w+)/g, (_, name: string) => `'${ids[name]}'`));
};

const KEYS = 'PRAGMA foreign_keys';

test.each([
  ['nothing', 'SELECT 1', ''],
  ['a post', "UPDATE posts SET title = 'x' WHERE id = :post1", 'post1 t1 a1'],
  ['meta of a post', "INSERT INTO posts_meta (id, post_id) VALUES ('m', :post2)", 'post2 t1 a1'],
  ['a tag', "UPDATE tags SET name = 'x' WHERE id = :t1", 'page1 post1 post2 t1'],
  ['an author', "UPDATE users SET name = 'x' WHERE id = :a1", 'page1 post1 post2 a1'],
  ['an unused tag', "UPDATE tags SET name = 'x' WHERE id = :t2", 't2'],
  ['a deleted post', `${KEYS} = ON; DELETE FROM posts WHERE id = :post1`, 'post1 t1 a1'],
  [
    'a deleted post whose links stay',
    `${KEYS} = OFF; DELETE FROM posts WHERE id = :post1`,
    'post1 t1 a1',
  ],
  [
    'a link to another tag',
    "UPDATE posts_tags SET tag_id = :t2 WHERE id = 'post1-t1'",
    'post1 t1 t2 a1',
  ],
  [
    'a link to another post',
    "UPDATE OR REPLACE posts_authors SET post_id = :post2 WHERE id = 'post1-a1'",
    'post1 post2 t1 a1',
  ],
  [
    'a member',
    "INSERT INTO members (id, uuid, email, created_at) VALUES ('m', 'u', 'e', '2026-01-01')",
    '',
  ],
])('%s touches what shows it', async (_, sql, expected) => {
  expect(await planAfter(run(sql))).toEqual({ touched: expected });
});

const OTHER_ID = 'b'.repeat(24);

test.each([
  ['a log that speaks of a row that is not there', "UPDATE changes SET record_id = 'gone'", false],
  ['a log that speaks of a table that is none', "UPDATE changes SET entity = 'pnsts'", false],
  ['a log that speaks of an operation that is none', "UPDATE changes SET op = 'e'", false],
  ['a row that came and went', "DELETE FROM posts WHERE slug = 'new'", true],
  ['a row that got another id', `UPDATE posts SET id = '${OTHER_ID}' WHERE slug = 'new'`, true],
  [
    'a row that another replaced',
    `INSERT OR REPLACE INTO posts (id, uuid, title, slug, created_at)
       SELECT '${OTHER_ID}', uuid, title, slug, created_at FROM posts WHERE slug = 'new'`,
    true,
  ],
])('%s', async (_, sql, isBelieved) => {
  const plan = await planAfter(({ shell, insert }) => {
    insert('posts', { slug: 'new' });
    shell.exec(sql);
  });
  if (isBelieved) expect(plan).not.toBeTypeOf('string');
  else expect(plan).toBe('the change log does not follow');
});

test('whatever is logged is known', async () => {
  for (const table of Object.keys(RECORD_TABLES)) {
    const plan = await planAfter(({ shell }) => {
      shell
        .prepare("INSERT INTO changes (entity, op, row_id, record_id) VALUES (?, 'd', 'x', 'x')")
        .run(table);
    });
    expect(plan, table).not.toBeTypeOf('string');
  }
});

test('a lost trigger leads to a full build', async () => {
  const publication = await createPublication();
  publication.shell.exec('DROP TRIGGER prepress_tags_u');
  expect(await publication.store.mendTriggers()).toBe(true);
});

const SHAPE = 'a'.repeat(16);
const FINGERPRINT = `${SHAPE}${'0'.repeat(16)}`;
const OTHER_CONTENT = `${SHAPE}${'1'.repeat(16)}`;
const OTHER_SHAPE = 'b'.repeat(32);
const CHANGED = 'settings or versions changed';
const untrusted = (): boolean => false;

/** Plans over a tree of a finished build, in which nothing has changed but what is given. */
const planWith = async (
  input: Partial<Parameters<typeof planBuild>[0]>,
  earlier: Partial<Position> = {},
): Promise<Plan> => {
  const { store } = await createPublication();
  const snapshot = store.snapshot();
  const position = { ...snapshot.position(), ...earlier };
  const plan = await planBuild({
    isFullAsked: false,
    state: { root: ROOT, fingerprint: FINGERPRINT, position, generation: 1 },
    root: ROOT,
    fingerprint: FINGERPRINT,
    isTreeTrusted: () => true,
    snapshot,
    ...input,
  });
  snapshot.close();
  return plan;
};

test.each([
  ['asked for', { isFullAsked: true }, false],
  ['no earlier build', { state: null }, false],
  ['another output folder', { root: '/elsewhere' }, false],
  [CHANGED, { fingerprint: OTHER_SHAPE }, false],
  [CHANGED, { fingerprint: OTHER_CONTENT, isTreeTrusted: untrusted }, false],
  [CHANGED, { fingerprint: OTHER_CONTENT }, true],
  ['the output was touched by something else', { isTreeTrusted: untrusted }, false],
])('%s leads to a full build (%j, tree known: %s)', async (reason, input, isTreeKnown) => {
  expect(await planWith(input)).toEqual({ kind: 'full', reason, isTreeKnown });
});

test('a tree is not known where the change log does not follow', async () => {
  const plan = await planWith({ fingerprint: OTHER_CONTENT }, { epoch: 'another' });
  expect(plan).toEqual({ kind: 'full', reason: CHANGED, isTreeKnown: false });
});
