// The yardstick of every tree: a clean build of the database as it is now, made elsewhere from a copy, with the
// pictures of the media folder that stands beside the database's folder.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { isBlob } from '../../src/content/tree/names.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { STAGING } from './build-moments.ts';
import { fileOfBytes } from './packed-blobs.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { buildInto, readTree, testConfig } from './tree.ts';

export const SITE = 'https://site.test';

export const cleanTree = async (
  shell: SqliteConnection,
  siteUrl = SITE,
): Promise<ReadonlyMap<string, string>> => {
  const folder = temporaryFolder();
  const path = join(folder, 'publication.db');
  await shell.backup(path, { progress: () => 0x7fffffff });
  const store = await openStore(path);
  try {
    await buildInto(store, folder, { config: testConfig({ siteUrl }) });
    const media = join(dirname(dirname(shell.name)), 'media');
    if (existsSync(media)) cpSync(media, join(folder, 'content'), { recursive: true });
    return readTree(join(folder, 'content'));
  } finally {
    await store.close();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  }
};

/**
 * The same files with the same bytes, and nothing of a build left beside them, but blobs of earlier generations, each with
 * the name of its bytes.
 */
export const expectTree = (content: string, clean: ReadonlyMap<string, string>): void => {
  const tree = readTree(content);
  for (const name of tree.keys()) {
    if (!clean.has(name) && isBlob(name)) {
      const bytes = readFileSync(join(content, name));
      expect(fileOfBytes(bytes, name.slice(-3))).toBe(name);
      tree.delete(name);
    }
  }
  expect([...tree.keys()]).toEqual([...clean.keys()]);
  const differing = [...tree].filter(([name, text]) => clean.get(name) !== text);
  expect(differing.map(([name]) => name)).toEqual([]);
  expect(existsSync(join(content, STAGING))).toBe(false);
};
