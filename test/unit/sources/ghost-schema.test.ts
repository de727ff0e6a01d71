// A column that the first Ghost 5 has may not be absent; a later one may.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openGhostSqlite } from '../../../src/sources/ghost-sqlite/source.ts';
import { makeGhostDatabase } from '../../helpers/ghost-database.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const openWithout = async (column: string): Promise<unknown> => {
  const file = join(temporaryFolder(), 'ghost.db');
  const ghost = makeGhostDatabase(file);
  const [table, name] = column.split('.');
  ghost.exec(`ALTER TABLE ${table} DROP COLUMN ${name}`);
  ghost.close();
  const source = openGhostSqlite(file);
  onTestFinished(source.close);
  return source.open().then(
    () => 'opened',
    (error: Error) => error.message.replace(file, 'FILE'),
  );
};

test.each([
  ...['posts.custom_excerpt', 'posts.feature_image', 'posts.featured', 'posts.canonical_url'],
  ...['posts.codeinjection_head', 'posts.custom_template', 'tags.feature_image'],
  ...['users.profile_image', 'members.name'],
])('a database without %s is refused with one sentence', async (column) => {
  expect(await openWithout(column)).toBe(`FILE has no column "${column}", which Ghost 6.65 has.`);
});

test.each(['posts.lexical', 'products.currency'])(
  'a database without %s is read',
  async (column) => {
    expect(await openWithout(column)).toBe('opened');
  },
);
