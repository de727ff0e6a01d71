// Only real folders are the tree's own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OwnFolders } from '../../../../src/base/files/own-folders.ts';
import { findStat } from '../../../../src/base/files/stat-key.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('real folders are told from a link, a file and a missing one', () => {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  const own = new OwnFolders(root);
  const folders = Array.from({ length: 3 }, (_, at) => join(root, `posts/${at}`));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const others = ['link', 'file', 'absent'].map((name) => join(root, 'posts', name));
  const [link = '', file = '', absent = ''] = others;
  symlinkSync(outside, link);
  writeFileSync(file, '');
  expect(folders.filter((folder) => !own.has(folder) || own.isTaken(folder))).toEqual([]);
  expect(others.map((folder) => own.isTaken(folder))).toEqual([true, true, false]);
  expect(others.map((folder) => own.has(folder))).toEqual([false, false, false]);
  own.make(absent);
  expect(own.has(absent)).toBe(true);
});

test('what lies behind a link is not looked at', () => {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  mkdirSync(join(outside, '1'));
  symlinkSync(outside, join(root, 'posts'));
  expect(new OwnFolders(root).has(join(root, 'posts/1'))).toBe(false);
});

test('nothing stands below a file, or under a name that no file can have', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  const names = ['absent', 'file/a', 'a'.repeat(256), `${'a'.repeat(256)}/b`];
  expect(names.map((name) => findStat(join(root, name)))).toEqual(names.map(() => undefined));
});
