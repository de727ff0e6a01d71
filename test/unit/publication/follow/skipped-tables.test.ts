// What a look passes over because its source says that it is as it was: nothing that changed, however little of it a
// time of change tells.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SqliteConnection } from '../../../../src/base/sqlite/driver.ts';
import { syncOnce } from '../../../../src/publication/follow/sync-once.ts';
import { openGhostSqlite } from '../../../../src/publication/sources/ghost-sqlite/source.ts';
import type { Source } from '../../../../src/publication/sources/source.ts';
import { type CountedLooks, countLooks } from '../../../helpers/counted-syncs.ts';
import { makeGhostDatabase } from '../../../helpers/ghost-database.ts';
import { QUIET_CHANGES } from '../../../helpers/ghost-edits.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

type Scene = Publication &
  CountedLooks & { readonly ghost: SqliteConnection; readonly source: Source };

const createScene = async (journal: string): Promise<Scene> => {
  const publication = await createPublication();
  const { store } = publication;
  const file = join(temporaryFolder(), 'ghost.db');
  const ghost = makeGhostDatabase(file);
  // Older than hashes and versions care for, and of several pages.
  ghost.exec(`PRAGMA journal_mode = ${journal};
    UPDATE posts SET updated_at = '2024-01-01 10:00:00', html = html || hex(randomblob(20000))`);
  const source = openGhostSqlite(file);
  onTestFinished(async () => {
    ghost.close();
    await source.close();
  });
  await syncOnce({ store, source }, { begins: true });
  const looks = countLooks(store, source);
  expect(await looks.look()).toBeNull();
  expect(looks.read().length).toBeGreaterThan(20);
  return { ...publication, ...looks, ghost, source };
};

for (const journal of ['DELETE', 'WAL']) {
  test(`each change without a time is noticed, and only its table read (${journal})`, async () => {
    const { ghost, look, read } = await createScene(journal);
    expect(await look()).toBeNull();
    expect(read()).toEqual([]);
    for (const { table, sql } of QUIET_CHANGES) {
      ghost.exec(sql);
      const report = await look();
      expect((report?.changed ?? 0) + (report?.gone ?? 0), sql).toBeGreaterThan(0);
      expect(read(), sql).toContain(table);
      if (journal === 'DELETE') expect(read().length, sql).toBeLessThan(6);
      expect(await look(), sql).toBeNull();
      if (journal === 'DELETE') expect(read(), sql).toEqual([]);
    }
  });
}

test('nothing is passed over that moved in the file', async () => {
  const { ghost, look, read, shell } = await createScene('DELETE');
  ghost.exec("DROP TABLE api_keys; VACUUM; UPDATE tags SET name = 'Moved ' || id");
  expect(await look()).toMatchObject({ changed: 3 });
  expect(read()).toContain('members');
  const names = shell.prepare("SELECT count(*) FROM tags WHERE name LIKE 'Moved%'").pluck();
  expect(names.get()).toBe(3);
});

test('a look that broke off passes over nothing that it would have taken', async () => {
  const { ghost, source, look, shell } = await createScene('DELETE');
  ghost.exec("UPDATE tags SET name = 'Late ' || id");
  const broken: Source = {
    ...source,
    open: async () => ({
      ...(await source.open()),
      rows: () => {
        throw new Error('lost');
      },
    }),
  };
  await expect(look(broken)).rejects.toThrow('lost');
  expect(await look()).toMatchObject({ changed: 3 });
  const names = shell.prepare("SELECT count(*) FROM tags WHERE name LIKE 'Late%'").pluck();
  expect(names.get()).toBe(3);
});

test('after the look of another program all tables are read', async () => {
  const { ghost, store, source, look, read } = await createScene('DELETE');
  ghost.exec("UPDATE tags SET name = 'Other ' || id");
  const other = openGhostSqlite(source.name);
  await syncOnce({ store, source: other });
  await other.close();
  expect(await look()).toBeNull();
  expect(read().length).toBeGreaterThan(20);
});
