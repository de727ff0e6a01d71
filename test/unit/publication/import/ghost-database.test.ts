// Imports of Ghost's SQLite file into a publication: again, beside an export of the same site, and what must stay away.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import type { ImportReport } from '../../../../src/publication/import/import-report.ts';
import { importSource } from '../../../../src/publication/import/import-source.ts';
import { openGhostSqlite } from '../../../../src/publication/sources/ghost-sqlite/source.ts';
import { CAPTURED_DATABASE, CAPTURED_EXPORT } from '../../../helpers/captured-site.ts';
import { makeGhostDatabase, OWN_EXPORT } from '../../../helpers/ghost-database.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { dump, importFile, NOW } from './ghost-import.ts';

const importDatabase = async (
  { store }: Publication,
  file: string,
  options: Parameters<typeof importSource>[2] = {},
): Promise<ImportReport> => {
  const source = openGhostSqlite(file);
  onTestFinished(source.close);
  return importSource(store, source, { clock: { now: () => NOW }, ...options });
};

const makeOwn = (): string => {
  const file = join(temporaryFolder(), 'ghost.db');
  makeGhostDatabase(file).close();
  return file;
};

const writtenBy = ({ tables }: ImportReport): string[] =>
  Object.entries(tables).flatMap(([table, { added, changed, removed }]) =>
    added + changed + removed > 0 ? [`${table}: ${added} ${changed} ${removed}`] : [],
  );

test('ghost-small comes whole, and again it changes nothing', async () => {
  const publication = await createPublication();
  const { tables, skipped } = await importDatabase(publication, CAPTURED_DATABASE);
  expect(skipped).toEqual([]);
  const counts = new (loadDriver())(CAPTURED_DATABASE, { readonly: true });
  for (const table of ['posts', 'members', 'email_recipients', 'gifts', 'suppressions']) {
    const rows = counts.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect([table, tables[table]?.added]).toEqual([table, rows]);
  }
  counts.close();
  expect(writtenBy(await importDatabase(publication, CAPTURED_DATABASE))).toEqual([]);
});

test.each([
  ['own rows', makeOwn, OWN_EXPORT],
  ['ghost-small', () => CAPTURED_DATABASE, CAPTURED_EXPORT],
])(
  'an export after the database of the same site changes nothing: %s',
  async (_, makeFile, exported) => {
    const publication = await createPublication();
    await importDatabase(publication, makeFile());
    expect(writtenBy(await importFile(publication, exported))).toEqual([]);
  },
);

test.each(['import', 'first look', 'comparison'] as const)(
  'fields that a post got here go when the source has no row of posts_meta for it: %s',
  async (by) => {
    const { store, insert, shell } = await createPublication();
    const source = openGhostSqlite(makeOwn());
    onTestFinished(source.close);
    const take = {
      import: () => importSource(store, source),
      'first look': () => syncOnce({ store, source }, { begins: true }),
      comparison: () => syncOnce({ store, source }, { isAll: true }),
    }[by];
    if (by === 'comparison') await syncOnce({ store, source }, { begins: true });
    else await importSource(store, source);
    const rows = shell.prepare('SELECT * FROM posts_meta ORDER BY id');
    const imported = rows.all();
    const bare = 'SELECT id FROM posts WHERE id NOT IN (SELECT post_id FROM posts_meta)';
    const own = insert('posts', {});
    for (const post of shell.prepare(bare).pluck().all()) {
      insert('posts_meta', { post_id: String(post), meta_title: 'Here' });
    }
    await take();
    const kept = shell.prepare('SELECT * FROM posts_meta WHERE post_id = ?').all(own);
    expect(kept).toHaveLength(1);
    expect(rows.all()).toEqual(expect.arrayContaining([...imported, ...kept]));
    expect(rows.all()).toHaveLength(imported.length + 1);
  },
);

/** Columns of the export's rows, and tables that imports read. */
const LATER_THAN_5_0: Readonly<Record<string, readonly string[]>> = {
  posts: ['lexical', 'show_title_and_feature_image', 'auto_excerpt', 'reading_time'],
  products: ['trial_days', 'currency', 'monthly_price', 'yearly_price'],
  members_products: ['expiry_at'],
  members_stripe_customers_subscriptions: ['ghost_subscription_id'],
  suppressions: [],
  gifts: [],
  members_created_events: [],
  members_subscription_created_events: [],
};

test('a database of Ghost 5.0 is imported and followed without what came later', async () => {
  const publication = await createPublication();
  const file = join(temporaryFolder(), 'ghost.db');
  const ghost = makeGhostDatabase(file, '5.0');
  for (const [table, columns] of Object.entries(LATER_THAN_5_0)) {
    if (columns.length === 0) ghost.exec(`DROP TABLE ${table}`);
    for (const column of columns) ghost.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
  const { skipped, leftOut, tables } = await importDatabase(publication, file);
  const whole = await importDatabase(await createPublication(), makeOwn());
  expect([skipped, leftOut]).toEqual([whole.skipped, whole.leftOut]);
  expect(tables).toMatchObject({ posts: { added: 5 }, members: { added: 2 } });
  expect(tables.suppressions).toBeUndefined();
  const source = openGhostSqlite(file);
  onTestFinished(source.close);
  const first = await syncOnce({ store: publication.store, source }, { begins: true });
  ghost.exec("UPDATE posts SET title = 'New'");
  ghost.close();
  const second = await syncOnce({ store: publication.store, source });
  expect(first?.skipped).toEqual(skipped);
  expect(second).toMatchObject({ tables: { posts: { changed: 5 } }, gone: 0 });
});

test('no password, key or secret of ghost-small is stored', async () => {
  const publication = await createPublication();
  await importDatabase(publication, CAPTURED_DATABASE);
  const stored = dump(publication.shell, 'with log');
  const ghost = new (loadDriver())(CAPTURED_DATABASE, { readonly: true });
  const secrets = ghost
    .prepare(
      `SELECT value FROM settings WHERE length(value) > 10 AND (key LIKE '%secret%' OR key LIKE '%\\_key' ESCAPE '\\'
         OR key LIKE '%token%' OR key LIKE '%stripe%' OR key LIKE '%hash%' OR key LIKE '%password%')
       UNION SELECT password FROM users UNION SELECT secret FROM api_keys UNION SELECT token FROM tokens`,
    )
    .pluck()
    .all()
    .filter((value) => value !== '') as string[];
  ghost.close();
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
});

test('progress goes from the start to the end, and never back', async () => {
  const publication = await createPublication();
  const shares: number[] = [];
  await importDatabase(publication, makeOwn(), {
    onProgress: ({ share }) => shares.push(share),
  });
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares[0]).toBeLessThan(0.1);
  // Settings that are not taken are not written.
  expect(shares.at(-1)).toBeGreaterThan(0.8);
});
