// A post that is e-mail only is in no file and no event of what is published, whoever wrote it, however the
// flag is stored, and whatever its status says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findNextDue } from '../../../../src/publication/store/log/publishing.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { describeUnsentPosts } from '../../../../src/serve/admin/posts/unsent-posts.ts';
import { isKept, isOnPostgres } from '../../../helpers/publication.ts';
import { createPublishingSite, type PublishingSite } from '../../../helpers/publishing-site.ts';
import { readTree } from '../../../helpers/tree.ts';

const SECRET = 'words of the letter';
const TIME = '2026-01-01 10:00:00';
const EVENTS = ['site.changed', 'published', 'unpublished', 'edited', 'published.edited'];

type Site = PublishingSite & {
  /** Ids of posts, pages, tags and authors that are listed, and posts counted for the authors. */
  readonly listed: () => string[];
};

const createSite = async (): Promise<Site> => {
  const site = await createPublishingSite(
    EVENTS.map((event) => (event.startsWith('site') ? event : `post.${event}`)),
  );
  const { contentFolder } = site.deps.paths;
  const read = (file: string): Record<string, { id: string; count?: { posts: number } }[]> =>
    JSON.parse(readFileSync(join(contentFolder, file), 'utf8'));
  return {
    ...site,
    listed: () =>
      ['posts', 'pages', 'tags', 'authors'].flatMap((name) => {
        const counts = name === 'tags' || name === 'authors' ? 'count-posts' : 'index';
        const rows = read(`${name}/${counts}.json`)[name] ?? [];
        return rows.map(({ id, count }) => (count === undefined ? id : `${id} ${count.posts}`));
      }),
  };
};

/** A post that nothing but its meta row keeps off the web, with a tag and an author of its own. */
const insertLetter = (
  { shell, insert }: Site,
  post: Record<string, unknown> = {},
  emailOnly: unknown = 1,
): Record<'id' | 'tag' | 'author', string> => {
  shell.pragma('ignore_check_constraints = ON');
  const id = insert('posts', {
    status: 'published',
    published_at: TIME,
    slug: 'letter',
    html: `<p>${SECRET}</p>`,
    ...post,
  });
  const meta = insert('posts_meta', { post_id: id, og_title: SECRET });
  setFlag(shell, meta, emailOnly);
  const [tag, author] = [insert('tags', {}), insert('users', {})];
  insert('posts_tags', { post_id: id, tag_id: tag });
  insert('posts_authors', { post_id: id, author_id: author });
  return { id, tag, author };
};

const setFlag = (shell: Site['shell'], meta: string, value: unknown): void => {
  shell.prepare('UPDATE posts_meta SET email_only = ? WHERE id = ?').run(value, meta);
};

const expectUntold = ({ deps }: Site): void => {
  const paths = [...readTree(deps.paths.contentFolder).keys()];
  expect(paths.filter((path) => path.includes('letter'))).toEqual([]);
  const holders = paths.filter((path) =>
    readFileSync(join(deps.paths.contentFolder, path), 'utf8').includes(SECRET),
  );
  expect(holders).toEqual([]);
};

const ODD_VALUES: readonly unknown[] = [
  1,
  2,
  -1,
  0.5,
  '1',
  'true',
  'TRUE',
  'yes',
  '',
  '0x0',
  'falsch',
  Buffer.from([0]),
  Buffer.from('0\u0000'),
  Buffer.from([1]),
  Buffer.from('true'),
];

test.each(ODD_VALUES.filter(isKept).map((value) => [value]))(
  'email_only %j closes the gate',
  async (value) => {
    const site = await createSite();
    insertLetter(site, {}, value);
    insertLetter(site, { type: 'page' }, value);
    await publishOnce(site.deps);
    expect(site.listed()).toEqual([]);
    expectUntold(site);
  },
);

test.each([0, '0', 'false', 'FALSE', 0.0].filter(isKept).map((value) => [value]))(
  'email_only %j opens it',
  async (value) => {
    const site = await createSite();
    const { id, tag, author } = insertLetter(site, {}, value);
    await publishOnce(site.deps);
    expect(site.listed()).toEqual([id, `${tag} 1`, `${author} 1`]);
  },
);

test.skipIf(isOnPostgres)(
  'a flag that a table made again holds as null closes the gate',
  async () => {
    const site = await createSite();
    const { id } = insertLetter(site);
    site.shell.pragma('foreign_keys = OFF');
    site.shell.exec(`CREATE TABLE rebuilt AS SELECT * FROM posts_meta; DROP TABLE posts_meta;
    ALTER TABLE rebuilt RENAME TO posts_meta; UPDATE posts_meta SET email_only = NULL`);
    await publishOnce(site.deps);
    expect(site.listed()).toEqual([]);
    site.shell.exec("UPDATE posts_meta SET email_only = 'False'");
    await publishOnce(site.deps);
    expect(site.listed()[0]).toBe(id);
  },
);

test('the flag withdraws what is public as an unpublish does, and brings it back when it is cleared', async () => {
  const site = await createSite();
  const { id, tag, author } = insertLetter(site, {}, 0);
  const other = site.insert('posts', { status: 'published', published_at: '2026-02-01' });
  site.insert('posts_tags', { post_id: other, tag_id: tag });
  await publishOnce(site.deps);
  site.newEvents();
  const flag = (value: unknown): unknown =>
    site.shell.prepare('UPDATE posts_meta SET email_only = ? WHERE post_id = ?').run(value, id);
  flag(1);
  expect(await publishOnce(site.deps)).toMatchObject({ kind: 'incremental' });
  expect(site.listed()).toEqual([other, `${tag} 1`]);
  expect(site.newEvents()).toEqual(['post.unpublished', 'post.edited', 'site.changed']);
  expectUntold(site);
  site.shell.prepare("UPDATE posts SET title = 'New' WHERE id = ?").run(id);
  expect(await publishOnce(site.deps)).toMatchObject({ files: { written: 0, removed: 0 } });
  flag(isOnPostgres ? 2 : 'true');
  await publishOnce(site.deps);
  site.shell.prepare("UPDATE posts SET status = 'sent' WHERE id = ?").run(id);
  await publishOnce(site.deps);
  site.shell.prepare("UPDATE posts SET status = 'published' WHERE id = ?").run(id);
  await publishOnce(site.deps);
  expect(site.newEvents()).toEqual([]);
  flag(0);
  await publishOnce(site.deps);
  expect(site.listed()).toEqual([other, id, `${tag} 2`, `${author} 1`]);
  expect(site.newEvents()).toEqual(['post.published', 'post.edited', 'site.changed']);
});

test('a meta row that is removed, moved or replaced takes its flag with it', async () => {
  const site = await createSite();
  const { id } = insertLetter(site);
  const other = site.insert('posts', { status: 'published', published_at: '2025-01-01' });
  await publishOnce(site.deps);
  const after = async (sql: string): Promise<string[]> => {
    site.shell.exec(sql);
    await publishOnce(site.deps);
    return site.listed().filter((one) => one === id || one === other);
  };
  expect(await after('SELECT 1')).toEqual([other]);
  expect(await after(`UPDATE posts_meta SET post_id = '${other}'`)).toEqual([id]);
  expect(await after('DELETE FROM posts_meta')).toEqual([id, other]);
  expect(
    await after(`INSERT INTO posts_meta (id, post_id, email_only) VALUES ('m', '${id}', 1)`),
  ).toEqual([other]);
  expect(
    await after(`INSERT OR REPLACE INTO posts_meta (id, post_id) VALUES ('n', '${id}')`),
  ).toEqual([id, other]);
});

test('the clock publishes no e-mail-only post: it stays scheduled and is named', async () => {
  const site = await createSite();
  const { deps, clock, shell } = site;
  const due = '2026-05-02T08:00:00.000Z';
  const { id } = insertLetter(site, { status: 'scheduled', published_at: due });
  const held = (): Promise<string[]> => describeUnsentPosts(deps.store, clock.ms);
  await publishOnce(deps);
  expect(await held()).toEqual([]);
  expect(await findNextDue(deps.store)).toBeNull();
  clock.ms = Date.parse(due);
  site.newEvents();
  await publishOnce(deps);
  const status = shell.prepare('SELECT status FROM posts WHERE id = ?').pluck();
  expect(status.get(id)).toBe('scheduled');
  expect(site.newEvents()).toEqual([]);
  expect(await held()).toEqual([
    `The post "letter" stays scheduled after ${due}: it is e-mail only, and Prepress sends no newsletters.`,
  ]);
  shell.exec('UPDATE posts_meta SET email_only = 0');
  expect(await findNextDue(deps.store)).toBe(clock.ms);
  await publishOnce(deps);
  expect(status.get(id)).toBe('published');
  expect(site.listed()[0]).toBe(id);
  expect(await held()).toEqual([]);
});
