// Statements are prepared once, as far as that takes little memory, and see a schema that changed.

import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { openStore } from '../../../../src/publication/store/open-store.ts';
import { ImmediateSqliteDialect } from '../../../../src/publication/store/sqlite/dialect.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const openCounted = () => {
  const path = join(temporaryFolder(), 'test.db');
  const connection = new (loadDriver())(path);
  connection.exec('CREATE TABLE one (a)');
  connection.exec('INSERT INTO one VALUES (1)');
  const prepared: string[] = [];
  const database = {
    close: () => void connection.close(),
    prepare: (text: string) => {
      prepared.push(text);
      return connection.prepare(text);
    },
  };
  const dialect = new ImmediateSqliteDialect({ database, lockTimeoutMs: 1_000 });
  const db = new Kysely<Record<string, never>>({ dialect });
  onTestFinished(() => db.destroy());
  const run = async (text: string) => (await sql.raw(text).execute(db)).rows;
  return { path, prepared, run };
};

test('a statement is prepared once, and sees a column that another program added', async () => {
  const { path, prepared, run } = openCounted();
  expect(await run('SELECT * FROM one')).toEqual([{ a: 1 }]);
  const other = new (loadDriver())(path);
  other.exec('ALTER TABLE one ADD COLUMN b DEFAULT 2');
  other.close();
  expect(await run('SELECT * FROM one')).toEqual([{ a: 1, b: 2 }]);
  expect(prepared).toEqual(['SELECT * FROM one']);
});

test('a snapshot reads on when another program added a column after the one before', async () => {
  const path = join(temporaryFolder(), 'publication.db');
  const store = await openStore(path, { create: true });
  onTestFinished(() => store.close());
  const other = new (loadDriver())(path);
  onTestFinished(() => void other.close());
  other.exec(`INSERT INTO tags (id, name, slug, visibility, created_at, updated_at)
    VALUES ('0123456789abcdef01234567', 'A', 'a', 'public', '2026-01-01', '2026-01-01')`);
  const read = () => {
    const snapshot = store.snapshot();
    try {
      return snapshot.sources('tags', ['0123456789abcdef01234567']);
    } finally {
      snapshot.close();
    }
  };
  const [before] = read();
  other.exec('ALTER TABLE tags ADD COLUMN colour DEFAULT 2');
  expect(read()).toEqual([before]);
  expect(before?.tag).toMatchObject({ name: 'A', accent_color: null });
});
