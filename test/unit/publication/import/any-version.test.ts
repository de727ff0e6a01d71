// Exports of old versions of Ghost, and what converters write: smaller than those of today.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import type { BodyRenderer } from '../../../../src/publication/import/intake/render-bodies.ts';
import { isMembersCsv } from '../../../../src/publication/import/members-csv/members-csv-file.ts';
import { openGhostExport } from '../../../../src/publication/sources/ghost-export/source.ts';
import { replaceNewsletters } from '../../../../src/publication/store/members/member-links.ts';
import { findMemberByEmail } from '../../../../src/publication/store/members/members.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { dump, importFile, writeText } from './ghost-import.ts';

const fixture = (name: string): string =>
  join(import.meta.dirname, '../../../fixtures/exports', `${name}.json`);

const SITE = 'https://example.com';

const all = (shell: SqliteConnection, sql: string): unknown[] => shell.prepare(sql).raw().all();

/** An id of ours for a number of theirs. */
const padded = (number: number): string => String(number).padStart(24, '0');

test('an export of Ghost 0.11 is taken, with ids that stay', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const report = await importFile(publication, fixture('old-0.11'), SITE);
  expect(report.skipped).toEqual([]);
  expect(
    all(shell, 'SELECT id, slug, type, status, comment_id, feature_image FROM posts ORDER BY id'),
  ).toEqual([
    [
      padded(5),
      'my-old-post',
      'post',
      'published',
      '5',
      '__GHOST_URL__/content/images/2014/01/c.png',
    ],
    [padded(6), 'a-page', 'page', 'published', '6', null],
    [padded(7), 'a-draft', 'post', 'draft', '7', null],
  ]);
  expect(all(shell, 'SELECT id, slug, profile_image FROM users')).toEqual([
    [padded(1), 'users-name', '__GHOST_URL__/content/images/u.png'],
  ]);
  expect(all(shell, 'SELECT post_id, author_id FROM posts_authors ORDER BY post_id')).toEqual(
    [5, 6, 7].map((post) => [padded(post), padded(1)]),
  );
  expect(all(shell, 'SELECT post_id, tag_id FROM posts_tags')).toEqual([[padded(5), padded(3)]]);
  expect(all(shell, "SELECT key, value FROM settings WHERE key <> 'url' ORDER BY key")).toEqual([
    ['cover_image', '__GHOST_URL__/content/images/cover.png'],
    ['timezone', 'Europe/London'],
    ['title', 'Old blog'],
  ]);
  const before = dump(shell, 'with log');
  await importFile(publication, fixture('old-0.11'), SITE);
  expect(dump(shell, 'with log')).toBe(before);
});

test('an export names the version of a database, as those before Ghost 1 do', async () => {
  const { store, shell } = await createPublication();
  const old = readFileSync(fixture('old-0.11'), 'utf8').replace('"0.11.3"', '"009"');
  const source = openGhostExport(writeText(old));
  await importSource(store, source, { siteUrl: SITE });
  expect(shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(3);
  // Converters write a number.
  const later = openGhostExport(writeText(old.replace('"009"', '5')));
  await importSource(store, later, { siteUrl: SITE });
  const other = openGhostExport(writeText(old.replace('"009"', '"latest"')));
  await expect(importSource(store, other, { siteUrl: SITE })).rejects.toThrow(
    'its meta.version is missing, or is not a version such as "5.0.0".',
  );
});

test('an export in one line is no members CSV, whatever its posts say', async () => {
  const html = '<p>By phone, email, or letter; email; or tab.</p>';
  expect(await isMembersCsv(writeText(JSON.stringify({ data: { posts: [{ html }] } })))).toBe(
    false,
  );
  expect(await isMembersCsv(writeText('name, email, phone\n'))).toBe(true);
});

test('the form that Ghost documents for converters is taken, with ids that stay', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const report = await importFile(publication, fixture('documented-form'), SITE);
  expect(report.skipped).toEqual([]);
  expect(
    all(
      shell,
      `SELECT p.id, p.slug, p.comment_id, m.feature_image_alt, t.slug, u.slug, u.role
       FROM posts p JOIN posts_meta m ON m.post_id = p.id
       JOIN posts_tags pt ON pt.post_id = p.id JOIN tags t ON t.id = pt.tag_id
       JOIN posts_authors pa ON pa.post_id = p.id JOIN users u ON u.id = pa.author_id`,
    ),
  ).toEqual([[padded(1234), 'a-converted-post', '1234-cms', 'alt', 'news', 'jo', 'Contributor']]);
  const before = dump(shell, 'with log');
  await importFile(publication, fixture('documented-form'), SITE);
  expect(dump(shell, 'with log')).toBe(before);
});

test('of what converters write, only what cannot be read is refused, each with its reason', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const report = await importFile(publication, fixture('converter-holes'), SITE);
  const refused = report.skipped.filter(({ table }) => table === 'posts');
  const { posts } = (
    JSON.parse(readFileSync(fixture('converter-holes'), 'utf8')) as {
      db: [{ data: { posts: { id: string; title: string }[] } }];
    }
  ).db[0].data;
  const titleOf = new Map(posts.toReversed().map(({ id, title }) => [id, title]));
  expect(
    refused.map(({ id, field, reason }) => `${titleOf.get(id)}: ${field} ${reason}`).sort(),
  ).toEqual([
    'Second a: slug and type is the same as in row e529a9cea4a728eb9c5828b1',
    'a: id appears twice ("dup-id")',
    'status-odd: status is none of draft, published, scheduled, sent',
    'zero-date: published_at is not a time that can be read',
  ]);
  expect(
    all(
      shell,
      "SELECT slug, title FROM posts WHERE title IN ('noslug', 'No slug at all') ORDER BY slug DESC",
    ),
  ).toEqual([
    ['noslug', 'noslug'],
    ['no-slug-at-all', 'No slug at all'],
  ]);
});

test('rows that are not taken are called what the file calls them', async () => {
  const publication = await createPublication();
  const post = { title: 'One', slug: 'one', html: '<p>One</p>' };
  const posts = [
    { ...post, id: 'wp-1' },
    { ...post, id: 'wp-2', slug: 'two', status: 'odd' },
    { ...post, id: 'wp-3' },
  ];
  const file = writeText(JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data: { posts } }] }));
  const { skipped } = await importFile(publication, file, SITE);
  expect(skipped.map(({ id, reason }) => `${id}: ${reason}`).sort()).toEqual([
    'wp-2: is none of draft, published, scheduled, sent',
    'wp-3: is the same as in row wp-1',
  ]);
});

test('a tag whose name begins with # is internal, as Ghost imports it', async () => {
  const { store, shell } = await createPublication();
  const tags = [
    { id: 1, name: '#wp', visibility: 'public' },
    { id: 2, name: '#at' },
    { id: 3, name: 'C#' },
  ];
  const file = writeText(
    JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data: { posts: [], tags } }] }),
  );
  await importSource(store, openGhostExport(file), { siteUrl: SITE });
  expect(all(shell, 'SELECT slug, visibility FROM tags ORDER BY id')).toEqual([
    ['hash-wp', 'internal'],
    ['hash-at', 'internal'],
    ['c', 'public'],
  ]);
});

test('slugs, uuids and comment ids are made as Ghost makes them of what it is given', async () => {
  const { store, shell } = await createPublication();
  const uuid = '4a2f2a0e-54c1-4e0c-9a6f-8f7f2f1d3b11';
  const posts = [
    { id: 1, title: 'A', slug: '2014/01/my-post', uuid: '../../x', amp: '5' },
    { id: 2, title: 'B', slug: 'My-Post', uuid, comment_id: 'c' },
    { id: 3, title: 'C', slug: 'my-post' },
  ];
  const text = JSON.stringify({ db: [{ meta: { version: '1.26.0' }, data: { posts } }] });
  await importSource(store, openGhostExport(writeText(text)), { siteUrl: SITE });
  const sql = 'SELECT slug, comment_id, uuid FROM posts ORDER BY id';
  const isUuid = expect.stringMatching(/^[\da-f]{8}-/);
  expect(all(shell, sql)).toEqual([
    ['2014-01-my-post', '5', isUuid],
    ['my-post', 'c', uuid],
    ['my-post-2', '3', isUuid],
  ]);
});

test('tags and authors in the row of a post, and a document that is no text, are taken', async () => {
  const { store, shell } = await createPublication();
  const text = { children: [{ type: 'text', text: 'Hello' }], type: 'paragraph' };
  const tags = [{ id: 't2' }, { name: 'T1' }, 't3', { name: 'none' }];
  const row = { id: 'p', title: 'P', tags, authors: [{ id: 2 }] };
  const data = {
    posts: [{ ...row, lexical: { root: { children: [text], type: 'root' } } }],
    tags: ['t1', 't2', 't3'].map((id) => ({ id, name: id })),
    users: [1, 2].map((id) => ({ id, name: `U${id}`, email: `u${id}@t.io` })),
  };
  const file = writeText(JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data }] }));
  await importSource(store, openGhostExport(file), { siteUrl: SITE });
  const linked = (name: string, key: string) =>
    all(
      shell,
      `SELECT slug FROM ${name} JOIN posts_${key}s ON ${key}_id = ${name}.id ORDER BY sort_order`,
    ).flat();
  const users = all(shell, 'SELECT slug FROM users JOIN posts_authors ON author_id = users.id');
  expect([linked('tags', 'tag'), users]).toEqual([['t2', 't1', 't3'], [['u2']]]);
  expect(all(shell, 'SELECT lexical FROM posts')).toEqual([[expect.stringMatching(/^{"root"/)]]);
});

test('posts of the same title get slugs of their own, the same at each import', async () => {
  const publication = await createPublication();
  const rows = ['', 'x', ''].map((slug, index) => ({
    ...{ id: index + 2, title: 'X', slug, html: '<p>x</p>', status: 'published' },
    published_at: '2024-01-02 03:04:05',
  }));
  const file = writeText(JSON.stringify({ meta: { version: '0.11.0' }, data: { posts: rows } }));
  expect((await importFile(publication, file, SITE)).skipped).toEqual([]);
  const slugs = (): unknown[] =>
    all(publication.shell, 'SELECT id, slug, uuid FROM posts ORDER BY id');
  const before = slugs();
  expect(before.map((row) => (row as string[])[1])).toEqual(['x', 'x-2', 'x-3']);
  await importFile(publication, file, SITE);
  expect(slugs()).toEqual(before);
});

test('addresses without the site before them are stored as a save stores them', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  await importFile(publication, fixture('relative'), SITE);
  const stored = all(
    shell,
    `SELECT p.feature_image, p.canonical_url, p.codeinjection_head, p.custom_excerpt, p.html, m.og_image
     FROM posts p JOIN posts_meta m ON m.post_id = p.id`,
  );
  expect(stored).toEqual([
    [
      '__GHOST_URL__/content/images/2020/01/f.jpg',
      '__GHOST_URL__/canon/',
      '<link href="__GHOST_URL__/assets/x.css">',
      '<a href="__GHOST_URL__/x">x</a>',
      '<p><img src="__GHOST_URL__/content/images/2020/01/a.png" srcset="__GHOST_URL__/content/images/size/w600/2020/01/a.png 600w"> <a href="__GHOST_URL__/about/">about</a> <a href="__GHOST_URL__/b/">abs</a> <a href="http://example.com/c/">http abs</a> <a href="//example.com/d/">pr</a></p>',
      '__GHOST_URL__/content/images/og.png',
    ],
  ]);
  expect(all(shell, 'SELECT feature_image FROM tags')).toEqual([
    ['__GHOST_URL__/content/images/t.png'],
  ]);
  expect(all(shell, 'SELECT profile_image, cover_image FROM users')).toEqual([
    ['__GHOST_URL__/content/images/u.png', '//gravatar.example.net/x.png'],
  ]);
  expect(
    all(shell, "SELECT value FROM settings WHERE key IN ('logo', 'icon') ORDER BY key"),
  ).toEqual([['__GHOST_URL__/content/images/i.png'], ['__GHOST_URL__/content/images/l.png']]);
});

test.each([
  { lexical: '{nope' },
  { lexical: '{"root":null}' },
  { mobiledoc: '{"version":"0.3.1"}' },
])('a post whose body cannot be read is a draft with it, and is named: %j', async (body) => {
  const { shell, store } = await createPublication();
  const post = {
    id: padded(1),
    title: 'A',
    slug: 'a',
    status: 'published',
    created_at: '2024-01-02',
  };
  const file = writeText(
    JSON.stringify({ meta: { version: '5.0.0' }, data: { posts: [{ ...post, ...body }] } }),
  );
  const renderer: BodyRenderer = {
    convert: async () => ({ fault: 'is not JSON' }),
    installCommand: () => null,
  };
  const report = await importSource(store, openGhostExport(file), { siteUrl: SITE, renderer });
  const [[field, text]] = Object.entries(body) as [[string, string]];
  expect(report.leftOut).toEqual([{ table: 'posts', id: padded(1), field, reason: 'is not JSON' }]);
  expect(all(shell, `SELECT status, html, ${field} FROM posts`)).toEqual([['draft', null, text]]);
});

test('posts with an editor document alone are rendered, or kept as drafts without what renders them', async () => {
  const publication = await createPublication();
  const { shell, store } = publication;
  const take = (renderer?: BodyRenderer) =>
    importSource(store, openGhostExport(fixture('bodies')), { siteUrl: SITE, renderer });
  const posts = (): unknown[] =>
    all(shell, 'SELECT slug, status, html, plaintext FROM posts ORDER BY slug');
  const drafts = [
    ['lexonly', 'draft', null, null],
    ['mobonly', 'draft', null, null],
  ];
  const convert: BodyRenderer['convert'] = async ({ from, text }) =>
    JSON.parse(text) && { html: `<p>${from}</p>`, plaintext: from };
  const lacking = await take({ convert, installCommand: () => 'npm install it' });
  expect(lacking.warnings.join()).toContain(
    'are kept as drafts: 2. Install what renders them, and import again: npm install it',
  );
  expect(posts()).toEqual(drafts);
  const faulty = await take({
    convert: async () => ({ fault: 'cannot be rendered' }),
    installCommand: () => null,
  });
  expect(faulty.leftOut.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
    'mobiledoc cannot be rendered',
    'lexical cannot be rendered',
  ]);
  expect(posts()).toEqual(drafts);
  const { warnings } = await take({ convert, installCommand: () => null });
  expect(warnings).toEqual([]);
  expect(posts()).toEqual([
    ['lexonly', 'published', '<p>lexical</p>', 'lexical'],
    ['mobonly', 'published', '<p>mobiledoc</p>', 'mobiledoc'],
  ]);
});

test('a row that does not say when it was made was made at its import, and keeps that', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const posts = [
    { title: 'Draft', slug: 'draft', html: '<p>x</p>', status: 'draft' },
    { title: 'Published', slug: 'published', html: '<p>x</p>', status: 'published' },
  ];
  const data = { posts, tags: [{ name: 'T', slug: 't' }] };
  const file = writeText(JSON.stringify({ meta: { version: '2.0.0' }, data }));
  const begunMs = Date.now();
  expect((await importFile(publication, file, SITE)).skipped).toEqual([]);
  const made = 'SELECT created_at FROM posts UNION ALL SELECT created_at FROM tags';
  const timesNow = (): number[] => all(shell, made).map((row) => Date.parse(String(row)));
  const times = timesNow();
  expect(times).toHaveLength(3);
  expect(times.filter((ms) => ms < begunMs || ms > Date.now())).toEqual([]);
  await importFile(publication, file, SITE);
  expect(timesNow()).toEqual(times);
});

test('posts that are published without a title are counted', async () => {
  const posts = ['draft', 'published'].map((status) => ({
    slug: status,
    html: '<p>x</p>',
    status,
  }));
  const file = writeText(JSON.stringify({ meta: { version: '5.0.0' }, data: { posts } }));
  const { warnings } = await importFile(await createPublication(), file, SITE);
  const said = 'Posts are published with the title "(Untitled)": 1 (posts ';
  expect(warnings).toContainEqual(expect.stringContaining(said));
});

test('the author in the row of a post counts where no link names a user who is there', async () => {
  const publication = await createPublication();
  const created_at = '2024-01-02';
  const user = (number: number) => ({ id: padded(number), name: `U${number}`, slug: `u${number}` });
  const post = (slug: string, number: number, author: number) => ({
    ...{ id: padded(number), title: slug, slug, html: '<p>x</p>', status: 'draft', created_at },
    author_id: padded(author),
  });
  const data = {
    users: [user(8), user(9)],
    posts: [post('alone', 1, 9), post('named', 2, 9), post('gone', 3, 99), post('broken', 4, 9)],
    posts_authors: [
      { id: padded(1), post_id: padded(2), author_id: padded(8), sort_order: 0 },
      { id: padded(2), post_id: padded(4), author_id: padded(98), sort_order: 0 },
    ],
  };
  const file = writeText(JSON.stringify({ meta: { version: '2.38.3' }, data }));
  const { warnings } = await importFile(publication, file, SITE);
  expect(warnings.join('\n')).toContain(`given to the owner: 1 (posts ${padded(3)})`);
  const links = `SELECT p.slug, u.slug FROM posts p JOIN posts_authors a ON post_id = p.id
    JOIN users u ON u.id = author_id WHERE p.slug <> 'gone' ORDER BY 1`;
  expect(all(publication.shell, links)).toEqual([
    ['alone', 'u9'],
    ['broken', 'u9'],
    ['named', 'u8'],
  ]);
});

test('pictures are brought before bodies are rendered, which then have their sides', async () => {
  const { store } = await createPublication();
  const steps: string[] = [];
  const convert: BodyRenderer['convert'] = async ({ from }) => {
    steps.push(from);
    return { html: '<p></p>', plaintext: '' };
  };
  await importSource(store, openGhostExport(fixture('bodies')), {
    siteUrl: SITE,
    renderer: { convert, installCommand: () => null },
    onRead: async () => void steps.push('read'),
  });
  expect(steps).toEqual(['read', 'mobiledoc', 'lexical']);
});

test('subscribers of Ghost 1 and 2 are members, and who left there is not subscribed', async () => {
  const publication = await createPublication();
  const { shell, store } = publication;
  const row = (number: number, email: unknown, status: string, more: object = {}) => ({
    ...{ id: padded(number), email, status, name: null, created_at: '2018-01-02 03:04:05' },
    ...more,
  });
  const subscribers = [
    row(1, 'Reads@x.io', 'subscribed', { name: 'Ann', created_at: 1514862245000 }),
    row(2, 'left@x.io', 'unsubscribed'),
    row(3, 'asked@x.io', 'pending'),
    row(4, 'when@x.io', 'subscribed', { unsubscribed_at: '2018-02-02 00:00:00' }),
    row(5, 'twice@x.io', 'subscribed', { name: 'Twi' }),
    row(6, 'Twice@x.io', 'unsubscribed'),
    row(7, 'no address', 'subscribed'),
    // The id of another one.
    row(5, 'other@x.io', 'subscribed'),
    null,
  ];
  const settings = [{ id: padded(1), key: 'title', value: 'Old blog' }];
  const file = writeText(
    JSON.stringify({ meta: { version: '2.38.3' }, data: { posts: [], settings, subscribers } }),
  );
  const report = await importFile(publication, file, SITE);
  const readers = (): unknown[] =>
    all(
      shell,
      `SELECT m.email, m.name, m.status, m.created_at, n.name FROM members m
       LEFT JOIN members_newsletters l ON l.member_id = m.id
       LEFT JOIN newsletters n ON n.id = l.newsletter_id ORDER BY m.email COLLATE NOCASE`,
    );
  const at = '2018-01-02T03:04:05.000Z';
  const expected = [
    ['asked@x.io', null, 'free', at, null],
    ['left@x.io', null, 'free', at, null],
    ['other@x.io', null, 'free', at, 'Old blog'],
    ['Reads@x.io', 'Ann', 'free', at, 'Old blog'],
    ['twice@x.io', 'Twi', 'free', at, null],
    ['when@x.io', null, 'free', at, null],
  ];
  expect(readers()).toEqual(expected);
  expect(report.tables.members).toMatchObject({ read: 9, added: 6, skipped: 3 });
  expect(report.skipped.map(({ id, reason }) => [id, reason])).toEqual([
    [padded(6), `is the same as in row ${padded(5)}`],
    ['', 'is not an object'],
    [padded(7), 'cannot be read, and a new row needs it'],
  ]);
  const before = dump(shell, 'with log');
  await importFile(publication, file, SITE);
  expect(dump(shell, 'with log')).toBe(before);
  await store.write(async (tx) => {
    const found = await findMemberByEmail(tx, 'Reads@x.io');
    await replaceNewsletters(
      tx,
      { memberId: found?.id ?? '', nowMs: Date.parse(at), source: 'member' },
      [],
    );
  });
  await importFile(publication, file, SITE);
  expect(readers()).toEqual(
    expected.map((one) => (one[1] === 'Ann' ? [...one.slice(0, 4), null] : one)),
  );
});

test('members of Ghost 3 and 4 get the newsletter that they were subscribed to', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const member = (number: number, subscribed: unknown) => ({
    ...{ id: padded(number), uuid: `00000000-0000-4000-8000-00000000000${number}`, subscribed },
    ...{ email: `m${number}@x.io`, created_at: '2020-01-02 03:04:05' },
  });
  const settings = [{ id: padded(1), key: 'title', value: 'Blog' }];
  const labels = [{ id: 7, name: 'VIP', slug: 'vip', created_at: '2020-01-02 03:04:05' }];
  const members_labels = [{ id: 9, member_id: 1, label_id: 7 }];
  const members = [member(1, 1), member(2, 0), member(3, true)];
  const data = { posts: [], members, settings, labels, members_labels };
  const file = writeText(JSON.stringify({ meta: { version: '3.42.9' }, data }));
  expect((await importFile(publication, file, SITE)).skipped).toEqual([]);
  const links = `SELECT m.email, n.name FROM members m JOIN members_newsletters ON member_id = m.id
    JOIN newsletters n ON n.id = newsletter_id ORDER BY 1`;
  expect(all(shell, links)).toEqual([
    ['m1@x.io', 'Blog'],
    ['m3@x.io', 'Blog'],
  ]);
  expect(all(shell, 'SELECT member_id, label_id FROM members_labels')).toEqual([
    [padded(1), padded(7)],
  ]);
  shell.exec("UPDATE newsletters SET name = 'Ours'");
  const before = dump(shell, 'without log');
  await importFile(publication, file, SITE);
  expect(dump(shell, 'without log')).toBe(before);
  // Where the file names newsletters, an old column says nothing.
  const newsletters = [
    {
      id: padded(8),
      uuid: padded(8),
      name: 'Theirs',
      slug: 'default-newsletter',
      status: 'active',
    },
  ];
  const later = { ...data, members: [member(4, 1)], newsletters, members_newsletters: [] };
  await importFile(
    publication,
    writeText(JSON.stringify({ meta: { version: '4.47.0' }, data: later })),
    SITE,
  );
  expect(all(shell, links)).toHaveLength(2);
});
