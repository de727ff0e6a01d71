import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { warningLine } from '../../../../src/publication/import/import-report.ts';
import { createPublication } from '../../../helpers/publication.ts';
import {
  changesAfter,
  dump,
  type ExportData,
  FIXTURE,
  GHOST_SMALL,
  idOf,
  importData,
  importFile,
  lastChange,
  NOW,
  OLD_FIXTURE,
  REAL_EXPORT,
  readData,
  rowOf,
  rowsOf,
  writeText,
} from './ghost-import.ts';

const DAY = 24 * 3_600_000;
const OWNER = '000000000000000000000001';
const FILES = [
  ['own fixture', FIXTURE],
  ['ghost-small', GHOST_SMALL],
] as const;

test('an export is taken whole: rows, links, roles and settings', async () => {
  const publication = await createPublication();
  const { shell } = publication;
  const report = await importFile(publication, FIXTURE, 'https://gazette.example.org/news/');
  expect(report.tables.posts).toEqual({
    read: 5,
    added: 5,
    changed: 0,
    unchanged: 0,
    skipped: 0,
    removed: 0,
  });
  expect(report.skipped).toEqual([
    {
      table: 'posts_authors',
      id: idOf(405),
      field: 'author_id',
      reason: 'refers to a row of users that is not there',
    },
  ]);
  const all = (sql: string): unknown[] => shell.prepare(sql).raw().all();
  expect(all('SELECT id, slug, role, last_seen FROM users ORDER BY id')).toEqual([
    [OWNER, 'olga', 'Owner', '2026-03-29T02:30:00.000Z'],
    [idOf(50), 'ben', 'Editor', '2026-03-29T02:30:00.000Z'],
  ]);
  expect(all('SELECT slug, type, status, published_at FROM posts ORDER BY id')).toEqual([
    ['post-1', 'post', 'published', '2026-03-29T00:30:00.000Z'],
    ['post-2', 'post', 'published', '2026-01-05T10:00:00.000Z'],
    ['about', 'page', 'published', '2026-03-29T00:30:00.000Z'],
    ['post-4', 'post', 'draft', null],
    ['post-5', 'post', 'scheduled', '2099-01-01T00:00:00.000Z'],
  ]);
  expect(all(`SELECT title, html, uuid FROM posts WHERE id = '${idOf(1)}'`)).toEqual([
    [
      'Bread & “salt” 🥖',
      '<p>Words of 1 <img src="__GHOST_URL__/content/images/1.png"></p>',
      '00000000-0000-4000-8000-000000000001',
    ],
  ]);
  expect(all('SELECT post_id, tag_id, sort_order FROM posts_tags ORDER BY id')).toEqual([
    [idOf(1), idOf(101), 1],
    [idOf(1), idOf(102), 0],
    [idOf(2), idOf(103), 0],
  ]);
  expect(all("SELECT key, value FROM settings WHERE key IN ('url', 'timezone')")).toEqual(
    expect.arrayContaining([
      ['url', 'https://gazette.example.org/news'],
      ['timezone', 'Europe/Berlin'],
    ]),
  );
  expect(all('SELECT tier_id, processor_product_id FROM processor_products')).toEqual([
    [idOf(211), 'prod_a'],
  ]);
  expect(all('SELECT tier_id, expiry_at FROM members_tiers')).toEqual([
    [idOf(211), '2026-09-21T14:13:20.000Z'],
  ]);
  expect(all('SELECT customer_id, processor_price_id, offer_id FROM subscriptions')).toEqual([
    ['cus_a', 'price_a', idOf(250)],
  ]);
});

test('a post without an author is given to the owner, and the report says so', async () => {
  const publication = await createPublication();
  const { warnings } = await importFile(publication, FIXTURE);
  const author = publication.shell
    .prepare('SELECT author_id FROM posts_authors WHERE post_id = ?')
    .pluck()
    .all(idOf(4));
  expect(author).toEqual([OWNER]);
  expect(warnings.join('\n')).toContain(
    `Posts without an author were given to the owner: 1 (posts`,
  );
});

test('a time zone that nobody knows is left out and named, and the one of before stays', async () => {
  const publication = await createPublication();
  const zones = (): unknown[] =>
    publication.shell.prepare("SELECT value FROM settings WHERE key = 'timezone'").pluck().all();
  const data = readData();
  const zone = rowsOf(data, 'settings').find(({ key }) => key === 'timezone');
  for (const value of ['Europe/Berlin', 'Mars/Phobos']) {
    Object.assign(zone ?? {}, { value });
    const { skipped } = await importData(publication, data);
    expect(zones()).toEqual(['Europe/Berlin']);
    const named = skipped.filter(({ table }) => table === 'settings');
    const reason = expect.stringMatching(/^is not the name of a time zone, got "Mars\/Phobos": /);
    expect(named).toMatchObject(value === 'Mars/Phobos' ? [{ field: 'timezone', reason }] : []);
  }
});

test('what the reader should know is warned of', async () => {
  const { warnings } = await importFile(await createPublication(), FIXTURE);
  const text = warnings.join('\n');
  for (const part of ['--site-url', 'without HTML', idOf(4)]) expect(text).toContain(part);
  // One line for all that stays behind, without names of settings, and no warning: each good import has it.
  const lines = warnings.map(warningLine).filter((one) => one.includes('docs/leaving-ghost.md'));
  expect(lines).toEqual([expect.stringMatching(/^Note: .*: 11 \(settings, snippets\)\.$/)]);
  expect(warningLine('Lost.')).toBe('Warning: Lost.');
  expect(text).not.toContain('stripe_secret_key');
});

test.each([
  ['by the clock here when nothing says better', {}, 'scheduled'],
  ['by a clock that is not behind the making of the export', { exported_on: NOW }, 'scheduled'],
  ['by the making of the export where that is later', { exported_on: NOW + DAY / 2 }, 'scheduled'],
  ['so, and was published by then', { exported_on: NOW + 2 * DAY }, 'published'],
])('what is published for a time to come is judged %s', async (_, meta, status) => {
  const { data } = JSON.parse(REAL_EXPORT).db[0] as { data: ExportData };
  const [post] = rowsOf(data, 'posts');
  Object.assign(post ?? {}, { published_at: new Date(NOW + DAY).toISOString() });
  const file = writeText(JSON.stringify({ db: [{ meta: { version: '6.65.0', ...meta }, data }] }));
  const publication = await createPublication();
  const { warnings } = await importFile(publication, file);
  expect(publication.shell.prepare('SELECT status FROM posts').pluck().all()).toEqual([status]);
  expect(warnings.join().includes('at a time in the future')).toBe(status === 'scheduled');
});

test('what belongs to members is passed over where the source has none', async () => {
  const { members: _, ...data } = readData();
  const { skipped, warnings } = await importData(await createPublication(), data);
  expect(skipped.filter(({ reason }) => reason.includes('of members '))).toEqual([]);
  expect(warnings.join()).toMatch(/the source has no members: \d+ \(.*offer_redemptions/);
});

test('fields of earlier versions are read', async () => {
  const publication = await createPublication();
  const { warnings, skipped } = await importFile(publication, OLD_FIXTURE);
  const all = (sql: string): unknown[] => publication.shell.prepare(sql).raw().all();
  expect(skipped).toEqual([]);
  expect(all('SELECT type, comment_id, created_at, updated_at FROM posts ORDER BY id')).toEqual([
    ['post', '17', '2017-03-05T10:00:00.000Z', '2017-03-05T10:00:00.000Z'],
    ['page', idOf(2), '2017-03-05T10:00:00.000Z', null],
  ]);
  expect(all('SELECT post_id, meta_title, og_image FROM posts_meta')).toEqual([
    [idOf(1), 'From the post', '__GHOST_URL__/content/images/og.png'],
  ]);
  expect(all('SELECT key, value FROM settings ORDER BY key')).toEqual([
    ['locale', 'de'],
    ['timezone', 'Europe/Paris'],
  ]);
  expect(warnings.join('\n')).toContain('"permalinks" to "/{primary_author}/{year}/{slug}/"');
  expect(warnings.join('\n')).toContain('This Ghost is private: its readers need a password.');
});

for (const [name, file] of FILES) {
  test(`importing ${name} again writes nothing`, async () => {
    const publication = await createPublication();
    await importFile(publication, file, 'https://example.org');
    const before = dump(publication.shell, 'with log');
    const report = await importFile(publication, file, 'https://example.org');
    expect(dump(publication.shell, 'with log')).toBe(before);
    for (const counts of Object.values(report.tables)) {
      expect(counts).toMatchObject({ added: 0, changed: 0, removed: 0 });
    }
  });

  test(`no password or secret setting of ${name} is stored`, async () => {
    const publication = await createPublication();
    await importFile(publication, file);
    const data = readData(file);
    const stored = dump(publication.shell, 'with log');
    const secrets = rowsOf(data, 'settings')
      .filter(({ key }) =>
        /secret|_key$|mailgun|stripe|slack|password|hash|token/.test(String(key)),
      )
      .map(({ value }) => String(value ?? ''))
      .filter((value) => value.length > 10);
    const passwords = rowsOf(data, 'users').map(({ password }) => String(password));
    expect(secrets.length + passwords.length).toBeGreaterThan(5);
    for (const secret of [...secrets, ...passwords, 'MARKED-SECRET']) {
      expect(stored.includes(secret), secret).toBe(false);
    }
  });

  test(`the order of the tables of ${name} does not matter`, async () => {
    const data = readData(file);
    const orders = [Object.keys(data), Object.keys(data).reverse(), Object.keys(data).sort()];
    const dumps: string[] = [];
    for (const order of orders) {
      const publication = await createPublication();
      await importData(publication, permute(data, order));
      dumps.push(dump(publication.shell, 'without log'));
    }
    expect(dumps[1]).toBe(dumps[0]);
    expect(dumps[2]).toBe(dumps[0]);
  });
}

const permute = (data: ExportData, order: readonly string[]): ExportData =>
  Object.fromEntries(order.map((table) => [table, rowsOf(data, table)]));

test('a changed export writes what changed and nothing else', async () => {
  const publication = await createPublication();
  await importFile(publication, FIXTURE);
  const seq = lastChange(publication.shell);
  const data = readData();
  rowOf(data, 'posts', idOf(1)).title = 'Butter';
  rowOf(data, 'posts_tags', idOf(301)).sort_order = 5;
  rowOf(data, 'settings', idOf(500)).value = 'The Large Gazette';
  data.posts_tags = rowsOf(data, 'posts_tags').filter(({ id }) => id !== idOf(302));
  data.tags = rowsOf(data, 'tags').filter(({ id }) => id !== idOf(103));
  const report = await importData(publication, data);
  expect(changesAfter(publication.shell, seq).sort()).toEqual([
    `posts u ${idOf(1)}`,
    `posts_tags d ${idOf(2)}`,
    `posts_tags u ${idOf(1)}`,
    'settings u title',
  ]);
  expect(report.tables.posts_tags).toMatchObject({ changed: 1, unchanged: 1, removed: 1 });
  expect(publication.shell.prepare('SELECT count(*) FROM tags').pluck().get()).toBe(3);
});

test('new html keeps the plaintext that came with it', async () => {
  const publication = await createPublication();
  await importFile(publication, FIXTURE);
  const data = readData();
  rowOf(data, 'posts', idOf(1)).html = '<p><i>Words of 1</i></p>';
  await importData(publication, data);
  const plaintext = publication.shell
    .prepare('SELECT plaintext FROM posts WHERE id = ?')
    .pluck()
    .get(idOf(1));
  expect(plaintext).toBe('Words of 1');
  const seq = lastChange(publication.shell);
  await importData(publication, data);
  expect(changesAfter(publication.shell, seq)).toEqual([]);
});

test('a published post without a time gets one, once', async () => {
  const publication = await createPublication();
  const data = readData();
  rowOf(data, 'posts', idOf(1)).published_at = null;
  await importData(publication, data);
  const seq = lastChange(publication.shell);
  await importData(publication, data);
  expect(changesAfter(publication.shell, seq)).toEqual([]);
});

test('the file is read as UTF-8 wherever its chunks end', async () => {
  const publication = await createPublication();
  const data = readData();
  const html = `<p>${'🥖é'.repeat(60_000)}</p>`;
  rowOf(data, 'posts', idOf(1)).html = html;
  rowOf(data, 'posts', idOf(2)).title = 'half \ud83e';
  await importData(publication, data);
  const stored = publication.shell.prepare('SELECT html FROM posts WHERE id = ?').pluck();
  expect(stored.get(idOf(1)) === html).toBe(true);
  const seq = lastChange(publication.shell);
  await importData(publication, data);
  expect(changesAfter(publication.shell, seq)).toEqual([]);
  expect(readFileSync(FIXTURE, 'utf8')).toContain('🥖');
});
