// How the packed tree is placed: its blobs are durable, under their names, before the root leads to them.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import {
  fileOfBytes,
  missingBlobs,
  readFrom,
  standingBlobs,
} from '../../../helpers/packed-blobs.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { buildInto, NO_SYNC } from '../../../helpers/tree.ts';

const createSite = async () => {
  const { folder, store, shell, insert } = await createPublication();
  for (const slug of ['one', 'two', 'three']) {
    const fields = { slug, status: 'published', published_at: '2026-01-01 10:00:00' };
    insert('posts', { ...fields, html: `<p>${slug}</p>` });
  }
  const tree = join(folder, 'tree');
  const content = join(tree, 'content');
  await buildInto(store, tree);
  const readRoot = (): string => readFileSync(join(content, PACKED_ROOT_FILE), 'utf8');
  const edit = () => shell.prepare("UPDATE posts SET title = 'Other' WHERE slug = 'two'").run();
  return { store, tree, content, readRoot, edit };
};

/** What one sync was asked for, and what it found. */
type Sync = {
  readonly paths: ReadonlySet<string>;
  /** The files of blobs and of a root that these bytes belong into. */
  readonly holds: ReadonlySet<string>;
  readonly root: string;
};

test('blobs are synced, and their folders, before the root is another', async () => {
  const { store, tree, content, readRoot, edit } = await createSite();
  const before = readRoot();
  const old = standingBlobs(content);
  edit();
  const syncs: Sync[] = [];
  const filesOf = (path: string): string[] => {
    const bytes = path.includes('.prepress-staging') ? readFileSync(path) : null;
    return bytes === null ? [] : ['txt', 'bin'].map((ending) => fileOfBytes(bytes, ending));
  };
  const durability = {
    ...NO_SYNC,
    syncPaths: async (_folder: string, paths: ReadonlySet<string>) => {
      const holds = new Set([...paths].flatMap(filesOf));
      syncs.push({ paths: new Set(paths), holds, root: readRoot() });
    },
  };
  await buildInto(store, tree, { durability });
  expect(readRoot()).not.toBe(before);
  const fresh = [...standingBlobs(content).keys()].filter((name) => !old.has(name));
  expect(fresh.length).toBeGreaterThan(3);
  const early = syncs.filter(({ root }) => root === before);
  const late = syncs.filter(({ root }) => root !== before);
  const [staged] = early;
  expect(fresh.filter((name) => staged?.holds.has(name) !== true)).toEqual([]);
  expect(staged?.holds).toContain(fileOfBytes(Buffer.from(readRoot()), 'txt'));
  for (const name of fresh) {
    const folder = dirname(join(content, name));
    expect(
      early.some(({ paths }) => paths.has(folder)),
      folder,
    ).toBe(true);
  }
  expect(late.some(({ paths }) => paths.has(dirname(join(content, PACKED_ROOT_FILE))))).toBe(true);
});

test('where a blob cannot be placed, the root stays', async () => {
  const { store, tree, content, readRoot, edit } = await createSite();
  const before = readRoot();
  const old = standingBlobs(content);
  edit();
  const clean = temporaryFolder();
  await buildInto(store, clean);
  const fresh = [...standingBlobs(join(clean, 'content')).keys()].filter((name) => !old.has(name));
  for (const name of fresh) {
    mkdirSync(join(content, name), { recursive: true });
    writeFileSync(join(content, name, 'of-somebody-else'), 'x');
  }
  await expect(buildInto(store, tree)).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
  expect(readRoot()).toBe(before);
  expect(missingBlobs(readFrom(content))).toEqual([]);
  expect(fresh.every((name) => existsSync(join(content, name, 'of-somebody-else')))).toBe(true);
});

test.each([
  ['post', 'page'],
  ['page', 'post'],
])('a %s that becomes a %s keeps the blobs that are the same in both', async (before, after) => {
  const { folder, store, shell, insert } = await createPublication();
  const fields = { slug: 'one', status: 'published', published_at: '2026-01-01 10:00:00' };
  insert('posts', { ...fields, type: before, html: '<p>one</p>' });
  const tree = join(folder, 'tree');
  await buildInto(store, tree);
  shell.prepare('UPDATE posts SET type = ?').run(after);
  insert('posts', { ...fields, slug: 'two', type: before, html: '<p>two</p>' });
  await buildInto(store, tree);
  expect(missingBlobs(readFrom(join(tree, 'content')))).toEqual([]);
});
