import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConnection } from '../../../../src/base/sqlite/connection.ts';
import { migrate } from '../../../../src/base/sqlite/migrate.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import { PUBLICATION_MIGRATIONS } from '../../../../src/publication/store/sqlite/migrations.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const MIGRATIONS = [
  { number: 1, name: 'one', sql: 'CREATE TABLE a (x)' },
  { number: 2, name: 'two', sql: 'CREATE TABLE b (x)' },
];

const open = (): ReturnType<typeof openConnection> =>
  openConnection(join(temporaryFolder(), 'a.db'));

test('every migration of the folder is in the list, under its number and name', () => {
  const folder = join(import.meta.dirname, '../../../../src/publication/store/sqlite/migrations');
  const files = readdirSync(folder).filter((name) => /^\d+_/.test(name));
  const listed = PUBLICATION_MIGRATIONS.map(
    ({ number, name }) => `${String(number).padStart(3, '0')}_${name.replaceAll(' ', '_')}.sql`,
  );
  expect(listed, 'src/publication/store/sqlite/migrations.ts').toEqual(files.sort());
});

test('each migration is applied once, in order', () => {
  const connection = open();
  migrate(connection, MIGRATIONS.slice(0, 1));
  migrate(connection, MIGRATIONS);
  migrate(connection, MIGRATIONS);
  expect(connection.prepare('SELECT number, name FROM migrations').raw().all()).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
  connection.close();
});

test('a failing migration leaves the schema as it was', () => {
  const connection = open();
  const broken = [...MIGRATIONS, { number: 3, name: 'three', sql: 'CREATE TABLE c (x); NONSENSE' }];
  expect(() => migrate(connection, broken)).toThrow();
  expect(
    connection.prepare("SELECT count(*) FROM sqlite_master WHERE name IN ('a', 'c')").pluck().get(),
  ).toBe(0);
  connection.close();
});

test('a changed text and a newer schema are refused', () => {
  const connection = open();
  migrate(connection, MIGRATIONS);
  const changed = [{ number: 1, name: 'one', sql: 'CREATE TABLE a (y)' }, ...MIGRATIONS.slice(1)];
  expect(() => migrate(connection, changed)).toThrow(
    expect.objectContaining({ code: 'MIGRATION_CHANGED' }),
  );
  expect(() => migrate(connection, MIGRATIONS.slice(0, 1))).toThrow(
    expect.objectContaining({ code: 'DATABASE_TOO_NEW' }),
  );
  connection.close();
});

test('a database is WAL with foreign keys, and its schema matches the migrations', async () => {
  const path = join(temporaryFolder(), 'publication.db');
  const store = await openStore(path, { create: true });
  const connection = openConnection(path);
  expect(connection.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(connection.pragma('foreign_keys', { simple: true })).toBe(1);
  expect(connection.prepare('SELECT count(*) FROM migrations').pluck().get()).toBe(
    PUBLICATION_MIGRATIONS.length,
  );
  connection.close();
  await store.close();
});

test('an absent file and a file that is no database are told apart', async () => {
  const path = join(temporaryFolder(), 'publication.db');
  await expect(openStore(path)).rejects.toMatchObject({ code: 'DATABASE_MISSING' });
  writeFileSync(path, 'This is a text file, and not a short one. '.repeat(100));
  await expect(openStore(path)).rejects.toMatchObject({ code: 'DATABASE_UNREADABLE' });
});

test('of the keys of an older database the oldest admin key in force is the owner', () => {
  const connection = open();
  migrate(connection, PUBLICATION_MIGRATIONS.slice(0, 4));
  const insert = connection.prepare(
    `INSERT INTO api_keys (id, type, name, secret_sha256, secret_sealed, created_at, revoked_at)
     VALUES (@id, @type, @id, @id, x'', @made, @revoked)`,
  );
  const keys: [string, string, number, number | null][] = [
    ['content', 'content', 1, null],
    ['revoked', 'admin', 2, 9],
    ['newer', 'admin', 4, null],
    ['oldest', 'admin', 3, null],
  ];
  for (const [id, type, made, revoked] of keys) insert.run({ id, type, made, revoked });
  connection.exec(
    `INSERT INTO newsletters (id, uuid, name, slug, created_at) VALUES ('n', 'u', 'N', 'n', '');
     INSERT INTO verification_tokens (token_sha256, newsletter_id, property, value, created_at, expires_at)
     VALUES ('t', 'n', 'sender_email', 'a@news.example', 5, 6);`,
  );
  migrate(connection, PUBLICATION_MIGRATIONS);
  const owners = 'SELECT id FROM api_keys WHERE is_owner = 1';
  expect(connection.prepare(owners).pluck().all()).toEqual(['oldest']);
  // Mails of the last hour go on counting.
  expect(connection.prepare('SELECT * FROM verification_mails').all()).toEqual([
    { id: 't', key_id: null, address: 'a@news.example', created_at: 5 },
  ]);
  connection.close();
});
