// Looks at a Ghost database: what is noticed, in how few rows, and when nothing is taken.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import type { PrepressError } from '../../../../src/base/errors.ts';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { readFollowState } from '../../../../src/publication/follow/follow-state.ts';
import { startSyncLoop } from '../../../../src/publication/follow/sync-loop.ts';
import { type SyncReport, syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import { openGhostSqlite } from '../../../../src/publication/sources/ghost-sqlite/source.ts';
import type { Source } from '../../../../src/publication/sources/source.ts';
import { endFollowing } from '../../../../src/publication/store/import/following.ts';
import { findRows } from '../../../../src/publication/store/import/import-rows.ts';
import { brokenLine, listUnread } from '../../../../src/publish/build/set-aside/broken-rows.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openGhost } from '../../../helpers/ghost-database.ts';
import { createPublication, insertRow, type Publication } from '../../../helpers/publication.ts';

type Scene = Publication & {
  readonly file: string;
  readonly ghost: SqliteConnection;
  readonly source: Source;
  readonly look: (isAll?: boolean) => Promise<SyncReport | null>;
};

/** Its posts are older than hashes and versions care for. */
const openOldGhost = (): ReturnType<typeof openGhost> => {
  const opened = openGhost();
  opened.ghost.exec("UPDATE posts SET updated_at = '2024-01-01 10:00:00'");
  return opened;
};

const createScene = async (): Promise<Scene> => {
  const publication = await createPublication();
  const { store } = publication;
  const { file, ghost, source } = openOldGhost();
  await syncOnce({ store, source }, { begins: true });
  const look = (isAll = false): Promise<SyncReport | null> =>
    syncOnce({ store, source }, { isAll });
  return { ...publication, file, ghost, source, look };
};

test('the first look names published posts and members that the source does not have', async () => {
  const { store, insert } = await createPublication();
  insert('posts', { slug: 'withdrawn-there', status: 'published' });
  insert('posts', { slug: 'draft-here' });
  const member = insert('members', { email: 'gone@site.test' });
  const { source } = openOldGhost();
  const report = await syncOnce({ store, source }, { begins: true });
  const own = (report?.warnings ?? []).filter((warning) => warning.includes('does not have'));
  expect(own).toEqual([
    expect.stringMatching(/posts: 1 \(withdrawn-there\)\.$/),
    expect.stringMatching(new RegExp(`members: 1 \\(${member}\\)\\.$`)),
  ]);
});

test('a post that a source withdrew, or only this publication has, gives its slug to one of the source', async () => {
  const { store, shell, ghost, source, insert } = await createScene();
  const hiding: Source = {
    ...source,
    open: async () => ({ ...(await source.open()), hides: () => true }),
  };
  const slugs = shell
    .prepare("SELECT slug FROM posts WHERE status = 'published' AND type = 'post' ORDER BY slug")
    .pluck();
  const [first, second, third] = slugs.all() as string[];
  insert('posts', { slug: 'mine', status: 'published' });
  // The first goes, the second takes its slug, and another the one of a post that is only here.
  ghost.prepare('DELETE FROM posts WHERE slug = ?').run(first);
  const rename = "UPDATE posts SET slug = ?, updated_at = '2025-01-01 10:00:00' WHERE ";
  ghost.prepare(`${rename} slug = ?`).run([first, second]);
  ghost.prepare(`${rename} slug = ?`).run(['mine', third]);
  const report = await syncOnce({ store, source: hiding });
  expect(report?.skipped.filter(({ table }) => table === 'posts')).toEqual([]);
  expect(slugs.all()).toEqual(expect.arrayContaining([first, 'mine']));
  const drafts = shell.prepare("SELECT slug FROM posts WHERE status = 'draft' AND slug LIKE ?");
  expect(drafts.pluck().all(`${first}-______`)).toHaveLength(1);
  expect(drafts.all('mine-______')).toHaveLength(1);
});

test('a draft of the source takes the slug of a published post that is only here when it is published', async () => {
  const { shell, ghost, insert, look } = await createScene();
  const mine = insert('posts', { slug: 'mine', status: 'published' });
  const write = ghost.prepare(
    "UPDATE posts SET slug = 'mine', status = ?, updated_at = ? WHERE id = ?",
  );
  const id = ghost.prepare("SELECT id FROM posts WHERE status = 'published'").pluck().get();
  const holder = shell.prepare("SELECT id FROM posts WHERE slug = 'mine' AND status = 'published'");
  write.run('draft', '2025-01-01 10:00:00', id);
  const report = await look();
  const skipped = report?.skipped.filter(({ table }) => table === 'posts');
  expect(skipped?.map((row) => row.id)).toEqual([id]);
  expect(holder.pluck().get()).toBe(mine);
  write.run('published', '2025-01-02 10:00:00', id);
  await look();
  expect(holder.get()).toBe(id);
  const authors = shell.prepare('SELECT id FROM posts_authors WHERE post_id = ?');
  expect(authors.all(id)).not.toEqual([]);
});

/** As a Content API does, which shows no tag or author without posts. */
const showingUsed = (source: Source, table: string): Source => ({
  ...source,
  open: async () => {
    const state = await source.open();
    const isWhole = (name: string): boolean => name !== table && state.isWhole(name);
    return { ...state, hides: () => false, isWhole };
  },
});

test.each([
  ['tags', 'posts_tags', 'tag_id', 1],
  ['tags', 'posts_tags', 'tag_id', 2],
  ['users', 'posts_authors', 'author_id', 1],
  ['users', 'posts_authors', 'author_id', 2],
])(
  'one of the %s that was made again has its new id and its %s by %s, seen in %i looks',
  async (...given) => {
    const [table, links, column, looks] = given;
    const { store, shell, ghost, source } = await createScene();
    const showing = showingUsed(source, table);
    const [id, link] = ['e'.repeat(24), 'f'.repeat(24)];
    const found = ghost.prepare(`SELECT * FROM ${table} ORDER BY id DESC LIMIT 1`).get();
    const row = found as Record<string, string>;
    shell.prepare(`UPDATE users SET role = 'Author'`).run();
    ghost.prepare(`DELETE FROM ${links} WHERE ${column} = ?`).run(row.id);
    ghost.prepare(`DELETE FROM ${table} WHERE id = ?`).run(row.id);
    if (looks === 2) await syncOnce({ store, source: showing });
    const post = ghost.prepare("SELECT id FROM posts WHERE status = 'published'").pluck().get();
    ghost.prepare(`DELETE FROM ${links} WHERE post_id = ?`).run(post);
    insertRow(ghost, table, { ...row, id });
    insertRow(ghost, links, { id: link, post_id: post, [column]: id, sort_order: 0 });
    const { skipped = [] } = (await syncOnce({ store, source: showing })) ?? {};
    expect(skipped.filter((one) => one.table === table)).toEqual([]);
    const slugs = shell.prepare(`SELECT id FROM ${table} WHERE slug = ?`).pluck();
    expect(slugs.all(row.slug)).toEqual([id]);
    const linked = shell.prepare(`SELECT ${column} FROM ${links} WHERE post_id = ?`).pluck();
    expect(linked.all(post)).toEqual([id]);
  },
);

test('a row that stands here under another id gives up a slug that another one takes', async () => {
  const { store, insert } = await createPublication();
  const { ghost, source } = openOldGhost();
  const found = ghost.prepare('SELECT * FROM tags ORDER BY id DESC LIMIT 1').get();
  const tag = found as Record<string, string>;
  const own = insert('tags', { slug: tag.slug });
  await syncOnce({ store, source }, { begins: true });
  const id = 'e'.repeat(24);
  const rename =
    "UPDATE tags SET slug = 'renamed', updated_at = '2026-01-01 00:00:00' WHERE id = ?";
  ghost.prepare(rename).run(tag.id);
  insertRow(ghost, 'tags', { ...tag, id });
  const { skipped = [] } = (await syncOnce({ store, source })) ?? {};
  expect(skipped.filter(({ table }) => table === 'tags')).toEqual([]);
  const rows = await findRows(store, { table: 'tags', by: 'id', values: [own, id] });
  expect(rows.map(({ id: one, slug }) => [one, slug])).toEqual(
    expect.arrayContaining([
      [own, 'renamed'],
      [id, tag.slug],
    ]),
  );
});

const TAG = 'b'.repeat(24);

test('a clock that is behind takes no post off, however the row is read again or dated', async () => {
  const { ghost, shell, source, store } = await createScene();
  const published = shell.prepare("SELECT count(*) FROM posts WHERE status = 'published'").pluck();
  const before = published.get();
  expect(before).toBeGreaterThan(1);
  ghost.exec(`UPDATE posts SET title = 'Edited', updated_at = '2025-01-01 10:00:00',
    published_at = datetime(published_at, '+100 years')`);
  // Nothing tells that it is: it never was right.
  const clock = { now: () => Date.parse('2026-05-01T00:00:00Z') };
  shell.exec('DELETE FROM published_position');
  expect((await syncOnce({ store, source, clock }))?.changed).toBeGreaterThan(1);
  await syncOnce({ store, source, clock }, { isAll: true });
  expect(published.get()).toBe(before);
});

test('a row that was changed here is read again by a comparison of all', async () => {
  const { shell, look } = await createScene();
  shell.exec("UPDATE posts SET title = 'Other'; DELETE FROM posts_authors");
  expect(await look()).toBeNull();
  expect((await look(true))?.changed).toBeGreaterThan(5);
  expect(shell.prepare("SELECT count(*) FROM posts WHERE title = 'Other'").pluck().get()).toBe(0);
});

test('what a row that cannot be read may have taken back is absent until it can be read', async () => {
  const { ghost, look, shell, store } = await createScene();
  const shown = shell
    .prepare("SELECT id FROM posts WHERE status = 'published' ORDER BY id")
    .pluck();
  const all = shown.all();
  const at = (minute: number) => `2025-01-01 10:0${minute}:00`;
  const set = (sql: string, minute: number) =>
    ghost.prepare(`UPDATE posts SET ${sql}, updated_at = ? WHERE id = ?`).run(at(minute), all[0]);
  const named = () => {
    const snapshot = store.snapshot();
    const lines = listUnread(snapshot, 'interface').map(brokenLine);
    snapshot.close();
    return lines;
  };
  set("title = x'00', html = '<p>New</p>'", 1);
  expect(await look()).toMatchObject({ named: 1 });
  expect(shown.all()).toEqual(all);
  const line = `Row ${all[0]} of posts in the source cannot be read (title is not a text)`;
  expect(named()).toEqual([`${line}; an earlier version is shown.`]);
  expect(await look(true)).toMatchObject({ named: 0 });
  set("visibility = 'paid', custom_excerpt = x'00'", 2);
  await look();
  expect(shown.all()).toEqual(all.slice(1));
  const both = line.replace(')', ', custom_excerpt is not a text)');
  expect(named()).toEqual([`${both}; nothing of it is shown.`]);
  set("visibility = 'public', custom_excerpt = NULL", 3);
  await look();
  expect(shown.all()).toEqual(all.slice(1));
  set("title = 'Mended'", 4);
  expect(await look()).toMatchObject({ named: 1 });
  expect(shown.all()).toEqual(all);
  expect(named()).toEqual([]);
  set("status = 'draft', title = x'00', published_at = '0000-00-00 00:00:00'", 5);
  await look();
  expect(shown.all()).toEqual(all.slice(1));
  expect(named()).toEqual([]);
  set("title = 'Draft'", 6);
  await look();
  const draft = shell.prepare('SELECT status, title FROM posts WHERE id = ?').get(all[0]);
  expect(draft).toEqual({ status: 'draft', title: 'Draft' });
});

test('a record whose id turns to bytes stays, and is named', async () => {
  const { ghost, look, shell } = await createScene();
  const before = shell.prepare('SELECT * FROM tags').all();
  ghost.exec('UPDATE tags SET id = CAST(id AS BLOB) WHERE id = (SELECT min(id) FROM tags)');
  const skipped = (await look())?.skipped ?? [];
  expect(skipped.map(({ table, field }) => `${table}.${field}`)).toEqual(['tags.id']);
  expect(shell.prepare('SELECT * FROM tags').all()).toEqual(before);
});

test('a link waits for its tag', async () => {
  const { ghost, look, shell } = await createScene();
  const post = ghost.prepare('SELECT id FROM posts LIMIT 1').pluck().get();
  ghost.prepare('INSERT INTO posts_tags VALUES (?, ?, ?, 7)').run('c'.repeat(24), post, TAG);
  expect((await look())?.skipped).toHaveLength(1);
  ghost.exec(
    `INSERT INTO tags (id, name, slug, created_at) VALUES ('${TAG}', 'Late', 'late', '2024-01-01 00:00:00')`,
  );
  expect(await look()).toMatchObject({ changed: 2, skipped: [] });
  const linked = shell.prepare('SELECT post_id FROM posts_tags WHERE tag_id = ?').pluck();
  expect(linked.get(TAG)).toBe(post);
  ghost.exec(`DELETE FROM tags WHERE id = '${TAG}'`);
  await look();
  ghost.exec(
    `INSERT INTO tags (id, name, slug, created_at) VALUES ('${TAG}', 'Late', 'late', '2024-01-01 00:00:00')`,
  );
  await look();
  expect(linked.get(TAG)).toBe(post);
});

test('another site is refused, and changes nothing', async () => {
  const { ghost, look, shell } = await createScene();
  ghost.exec("UPDATE settings SET id = 'd' || substr(id, 2); DELETE FROM posts");
  const before = shell.prepare('SELECT count(*) FROM posts').pluck().get();
  await expect(look()).rejects.toMatchObject({ code: 'SOURCE_IS_ANOTHER' });
  expect(shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(before);
});

test.each([true, false])(
  'the same site with other ids of its settings goes on, whether all of them come (%s) or not',
  async (isWhole) => {
    const { ghost, store, source, shell } = await createScene();
    const through: Source = {
      ...source,
      open: async () => {
        const state = await source.open();
        const wholeOf = (table: string) =>
          (isWhole || table !== 'settings') && state.isWhole(table);
        return Object.assign(Object.create(state), { isWhole: wholeOf });
      },
    };
    const titled = (id: string, title: string): void => {
      ghost.exec(
        `UPDATE settings SET value = '${title}', id = '${id}' || substr(id, 2) WHERE key = 'title'`,
      );
    };
    const title = shell.prepare("SELECT value FROM settings WHERE key = 'title'").pluck();
    ghost.exec("UPDATE settings SET id = 'd' || substr(id, 2)");
    titled('d', 'Once');
    expect((await syncOnce({ store, source: through }))?.skipped).toEqual([]);
    expect(title.get()).toBe('Once');
    titled('d', 'Twice');
    await syncOnce({ store, source: through });
    expect(title.get()).toBe('Twice');
    titled('e', 'Thrice');
    expect((await syncOnce({ store, source: through }))?.skipped).toEqual([]);
    expect(title.get()).toBe('Thrice');
  },
);

test('a look that another follower overtook is begun again', async () => {
  const { ghost, store, source, look, shell } = await createScene();
  ghost.exec("UPDATE tags SET name = 'Old' || id");
  let opened = 0;
  const slow: Source = {
    ...source,
    open: async () => {
      const state = await source.open();
      opened += 1;
      if (opened > 1) return state;
      return {
        ...state,
        close: state.close,
        rows: async function* (wanted) {
          yield* state.rows(wanted);
          ghost.exec("UPDATE tags SET name = 'New' || id");
          // The first state is still open: another program has a source of its own.
          const other = openGhostSqlite(source.name);
          await syncOnce({ store, source: other });
          await other.close();
        },
      };
    },
  };
  await syncOnce({ store, source: slow });
  expect(opened).toBe(2);
  expect(shell.prepare("SELECT count(*) FROM tags WHERE name LIKE 'Old%'").pluck().get()).toBe(0);
  expect(await look()).toBeNull();
});

test('the loop tells the loss of a source once, and its return; nothing is taken once it was ended', async () => {
  const { ghost, store, folder, file, shell } = await createScene();
  const lost: PrepressError[] = [];
  const log: string[] = [];
  const source = openGhostSqlite(file);
  const statePath = join(folder, 'follow.json');
  let isAway = true;
  const follower = startSyncLoop({
    store,
    source: {
      ...source,
      fingerprint: async () => {
        if (!isAway) return null;
        log.push('tried');
        const { PrepressError: Known } = await import('../../../../src/base/errors.ts');
        throw new Known('SOURCE_UNREACHABLE', 'The source is away.');
      },
    },
    clock: systemClock,
    intervalMs: 5,
    retryMs: 5,
    statePath,
    onTaken: () => log.push('taken'),
    onWarning: (sentence) => log.push(sentence),
    onLost: (error) => lost.push(error),
    onReturned: () => log.push('returned'),
    onEnded: () => log.push('ended'),
  });
  onTestFinished(follower.close);
  await eventually(() => expect(log.length).toBeGreaterThan(3));
  expect(lost.map(({ code }) => code)).toEqual(['SOURCE_UNREACHABLE']);
  expect(readFollowState(statePath, source.name).error?.message).toBe('The source is away.');
  isAway = false;
  follower.wake();
  await follower.settled();
  await eventually(() => expect(log).toContain('returned'));
  expect(readFollowState(statePath, source.name).error).toBeNull();
  /** Between two looks: one that is under way would be waited for in its own thread, in vain. */
  const edit = async (statement: string): Promise<void> => {
    follower.wake();
    await follower.settled();
    ghost.exec(statement);
  };
  await edit("UPDATE tags SET name = 'Followed' || id");
  await eventually(() => expect(log).toContain('taken'));
  const privacy = (): string[] => log.filter((line) => line.startsWith('This Ghost is private'));
  await edit("UPDATE settings SET key = 'is_private' WHERE key = 'stripe_secret_key'");
  for (const told of [1, 2]) {
    await edit("UPDATE settings SET value = 'true' WHERE key = 'is_private'");
    await eventually(() => expect(privacy()).toHaveLength(told));
    await edit("UPDATE settings SET value = 'a' || random() WHERE key = 'title'");
    await eventually(() => expect(log.filter((line) => line === 'taken')).toHaveLength(1 + told));
    expect(privacy()).toHaveLength(told);
    await edit("UPDATE settings SET value = 'false' WHERE key = 'is_private'");
    follower.wake();
    await follower.settled();
  }
  await store.write((tx) => endFollowing(tx, 1));
  await eventually(() => expect(log).toContain('ended'));
  ghost.exec("UPDATE tags SET name = 'Unseen' || id");
  follower.wake();
  await follower.settled();
  expect(shell.prepare("SELECT count(*) FROM tags WHERE name LIKE 'Unseen%'").pluck().get()).toBe(
    0,
  );
  expect(log.filter((line) => line === 'ended')).toHaveLength(1);
});
