// Only real folders are the tree's own, one by one and many at a glance.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OwnFolders } from '../../../../src/base/files/own-folders.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** From which on the folder that holds them is read. */
const MANY = 2_000;

test.each([
  ['few', 3],
  ['many', MANY],
])(
  'among %s folders, real ones are told from a link, a file and a missing one',
  async (_much, count) => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    const own = new OwnFolders(root);
    const folders = Array.from({ length: count }, (_, at) => join(root, `posts/${at}`));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const others = ['link', 'file', 'absent'].map((name) => join(root, 'posts', name));
    const [link = '', file = '', absent = ''] = others;
    symlinkSync(outside, link);
    writeFileSync(file, '');
    await own.lookAt(new Set([...folders, ...others]));
    expect(folders.filter((folder) => !own.has(folder) || own.isTaken(folder))).toEqual([]);
    expect(others.map((folder) => own.isTaken(folder))).toEqual([true, true, false]);
    expect(others.map((folder) => own.has(folder))).toEqual([false, false, false]);
    own.make(absent);
    expect(own.has(absent)).toBe(true);
  },
);

test('what lies behind a link is not looked at', async () => {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  const own = new OwnFolders(root);
  const folders = Array.from({ length: MANY }, (_, at) => join(root, `posts/${at}`));
  for (let at = 0; at < MANY; at += 1) mkdirSync(join(outside, String(at)));
  symlinkSync(outside, join(root, 'posts'));
  await own.lookAt(new Set(folders));
  expect(folders.filter((folder) => own.has(folder))).toEqual([]);
});
