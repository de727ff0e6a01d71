// E-mail-only posts of an export are stored as sent, wherever and however the file says so.
import { expect, test } from 'vitest';
import { createPublication } from '../../../helpers/publication.ts';
import { type ExportRow, importData, lastChange, NOW } from './ghost-import.ts';

const POST = '0'.repeat(23).concat('a');
const META = '0'.repeat(23).concat('b');
const PAST = '2026-01-01 10:00:00';
const FUTURE = '2027-01-01 10:00:00';

const importPost = async (post: ExportRow, meta: ExportRow | null, order: 'before' | 'after') => {
  const publication = await createPublication();
  const posts = [{ id: POST, uuid: 'u', title: 'T', slug: 't', created_at: PAST, ...post }];
  const posts_meta = meta === null ? [] : [{ id: META, post_id: POST, ...meta }];
  const data = order === 'after' ? { posts, posts_meta } : { posts_meta, posts };
  const report = await importData(publication, data);
  const read = (sql: string): unknown => publication.shell.prepare(sql).pluck().get();
  return { publication, data, report, read };
};

test.each([
  ['published', PAST, 'sent'],
  ['published', null, 'sent'],
  ['published', FUTURE, 'sent'],
  ['sent', PAST, 'sent'],
  ['scheduled', PAST, 'scheduled'],
  ['scheduled', FUTURE, 'scheduled'],
  ['draft', null, 'draft'],
])('status %s at %s becomes %s', async (status, published_at, expected) => {
  expect(Date.parse(PAST)).toBeLessThan(NOW);
  for (const order of ['before', 'after'] as const) {
    const post = { status, published_at };
    const imported = await importPost(post, { email_only: 1 }, order);
    expect(imported.read('SELECT status FROM posts')).toBe(expected);
    expect(imported.read('SELECT email_only FROM posts_meta')).toBe(1);
    const before = lastChange(imported.publication.shell);
    await importData(imported.publication, imported.data);
    expect(lastChange(imported.publication.shell)).toBe(before);
  }
});

test('email_only is said in many ways, and by posts of earlier versions themselves', async () => {
  const post = { status: 'published', published_at: PAST };
  for (const [email_only, isSent] of [
    ...[true, '1', 'true', 2, 'on', {}].map((value) => [value, true] as const),
    ...[0, false, '0', null, undefined].map((value) => [value, false] as const),
  ]) {
    const { read, report } = await importPost(post, { email_only }, 'after');
    const stored = [read('SELECT status FROM posts'), read('SELECT email_only FROM posts_meta')];
    expect([email_only, ...stored]).toEqual([email_only, isSent ? 'sent' : 'published', +isSent]);
    expect(report.skipped).toEqual([]);
  }
  const { read } = await importPost({ ...post, email_only: 1 }, null, 'after');
  expect(read('SELECT status FROM posts')).toBe('sent');
  expect(read('SELECT email_only FROM posts_meta')).toBe(1);
});

test('a meta row that cannot be taken keeps its post off the web all the same', async () => {
  const post = { status: 'published', published_at: PAST };
  const { read, report } = await importPost(post, { id: ['x'], email_only: 1 }, 'after');
  expect(report.skipped).toMatchObject([{ table: 'posts_meta' }]);
  expect(read('SELECT status FROM posts')).toBe('sent');
  expect(read('SELECT email_only FROM posts_meta')).toBe(1);
});

test('a scheduled post whose meta row is at fault is e-mail only for good', async () => {
  const post = { status: 'scheduled', published_at: FUTURE };
  const meta = { email_only: 1, og_title: { a: 1 } };
  for (const order of ['before', 'after'] as const) {
    const { read, publication, data } = await importPost(post, meta, order);
    expect(read('SELECT status FROM posts')).toBe('scheduled');
    expect(read('SELECT email_only FROM posts_meta')).toBe(1);
    const before = lastChange(publication.shell);
    await importData(publication, data);
    expect(lastChange(publication.shell)).toBe(before);
  }
});

test('the second of two meta rows counts, and so does one within the post', async () => {
  const publication = await createPublication();
  const post = { uuid: 'u', title: 'T', created_at: PAST, status: 'published', published_at: PAST };
  const [first, second] = [POST, '0'.repeat(23).concat('c')];
  await importData(publication, {
    posts: [
      { ...post, id: first, slug: 'a' },
      { ...post, id: second, slug: 'b', posts_meta: { email_only: 1 } },
    ],
    posts_meta: [
      { id: META, post_id: first, email_only: 0 },
      { id: '0'.repeat(23).concat('d'), post_id: first, email_only: 1 },
    ],
  });
  const rows = publication.shell
    .prepare('SELECT p.status, m.email_only FROM posts p JOIN posts_meta m ON m.post_id = p.id')
    .raw()
    .all();
  expect(rows).toEqual([
    ['sent', 1],
    ['sent', 1],
  ]);
});
