import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../../../src/base/sqlite/driver.ts';
import { backupDatabase } from '../../../../src/publication/store/back-up-database.ts';
import { flipBit } from '../../../helpers/flip-bit.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('a backup that was cut short is removed, not taken for the publication', async () => {
  const { path, folder, insert } = await createPublication();
  insert('posts', { slug: 'kept' });
  const target = join(folder, 'copy.db');
  for (const left of [Buffer.alloc(5_000, 'SQLite format 3\0'), 'no database']) {
    writeFileSync(`${target}.partial`, left);
    writeFileSync(`${target}.partial-journal`, left);
    const made = await backupDatabase(path, target);
    expect(made.faults).toEqual([]);
    made.place();
    const copy = new (loadDriver())(target);
    expect(copy.prepare("SELECT slug FROM posts WHERE slug = 'kept'").pluck().all()).toEqual([
      'kept',
    ]);
    copy.close();
    expect(existsSync(`${target}.partial`)).toBe(false);
    expect(existsSync(`${target}.partial-journal`)).toBe(false);
  }
});

test('a backup of a damaged database is made, and says so', async () => {
  const { path, folder, insert } = await createPublication();
  flipBit(path, 'sqlite_autoindex_posts_1', insert('posts', {}));
  const target = join(folder, 'copy.db');
  const { faults, place, discard } = await backupDatabase(path, target);
  expect(faults.join('\n')).toContain('sqlite_autoindex_posts_1');
  place();
  discard();
  expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
  expect(statSync(target).mode & 0o777).toBe(0o600);
});
