// What a program that stays open keeps of blobs is theirs only while their files stand as they were read.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blobFile } from '../../../../src/content/tree/names.ts';
import {
  type BlobMemory,
  createBlobMemory,
} from '../../../../src/publish/build/tree/blob-memory.ts';
import { SMALL_LEVELS } from '../../../helpers/memory-blobs.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { buildInto, readTree } from '../../../helpers/tree.ts';

const NAMES = ['a', 'b', 'c'] as const;

test('blobs that were used last stay, up to a number of bytes', () => {
  const memory = createBlobMemory(20);
  for (const name of NAMES) {
    memory.keep(name, '1', Buffer.from(name.repeat(8)));
    memory.find('a', '1');
  }
  expect(NAMES.map((name) => memory.find(name, '1')?.toString())).toEqual([
    'aaaaaaaa',
    undefined,
    'cccccccc',
  ]);
  expect(memory.find('a', '2')).toBeNull();
  memory.keep('d', '1', Buffer.alloc(21));
  // One that is over the bound by itself takes nobody's place.
  expect([...NAMES, 'd'].map((name) => memory.find(name, '1') !== null)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

/** Sixty posts in small blobs, built, and edited once; `found` are the blobs that the last build found in memory. */
const createSite = async () => {
  const { folder, store, shell, insert } = await createPublication();
  for (let at = 0; at < 60; at += 1) {
    const published_at = new Date(1.7e12 + at * 60_000).toISOString();
    insert('posts', {
      slug: `post-${at}`,
      status: 'published',
      published_at,
      html: `<p>${at}</p>`,
    });
  }
  const tree = join(folder, 'tree');
  const kept = createBlobMemory();
  const found = new Set<string>();
  const blobMemory: BlobMemory = {
    ...kept,
    find: (name, statKey) => {
      const bytes = kept.find(name, statKey);
      if (bytes !== null) found.add(name);
      return bytes;
    },
  };
  let round = 0;
  const edit = () => {
    round += 1;
    found.clear();
    shell.prepare("UPDATE posts SET title = ? WHERE slug = 'post-30'").run(`Title ${round}`);
    return buildInto(store, tree, { levels: SMALL_LEVELS, blobMemory });
  };
  await buildInto(store, tree, { levels: SMALL_LEVELS, blobMemory });
  await edit();
  await edit();
  const content = join(tree, 'content');
  const [file = ''] = [...found].map((name) => join(content, blobFile(name)));
  const clean = async () => {
    await buildInto(store, join(folder, 'clean'), { levels: SMALL_LEVELS });
    return readTree(join(folder, 'clean/content'));
  };
  return { edit, found, content, file, clean };
};

test('an edit finds blobs of the one before, and gives the bytes of a clean build', async () => {
  const { edit, found, content, clean } = await createSite();
  await edit();
  expect(found.size).toBeGreaterThan(5);
  expect(readTree(content)).toEqual(await clean());
});

test.each([
  ['is gone', rmSync],
  ['has more bytes', (file: string) => writeFileSync(file, ' ', { flag: 'a' })],
  [
    'has other bytes of the same length and time',
    (file: string) => {
      const { atime, mtime, size } = statSync(file);
      rmSync(file);
      writeFileSync(file, Buffer.alloc(size, 'x'));
      utimesSync(file, atime, mtime);
    },
  ],
])('a kept blob whose file %s is noticed by the next edit', async (_what, tamper) => {
  const { edit, file } = await createSite();
  expect(readFileSync(file).length).toBeGreaterThan(0);
  tamper(file);
  await expect(edit()).rejects.toMatchObject({ code: 'OUTPUT_DIFFERS' });
});
