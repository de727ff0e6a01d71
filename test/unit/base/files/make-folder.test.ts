import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../src/base/files/make-folder.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { readSources } from '../../../tidy/source-files.ts';

test('folders are made, however many are missing, and again', () => {
  const folder = join(temporaryFolder(), 'a/b/c');
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a file in the way is said', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a/b'), '');
  expect(() => makeFolder(join(folder, 'a/b'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'a/b/c'))).toThrow('EEXIST');
});

test.skipIf(process.platform !== 'linux')('where the system takes none, it is said at once', () => {
  expect(() => makeFolder('/proc/prepress/a')).toThrow(/ENOENT|EACCES/);
});

test('no other module makes folders above folders, since Node.js hides there why it cannot', () => {
  const hiding = readSources('src').filter(({ text }) => /mkdir\w*\([^;]*recursive/.test(text));
  expect(hiding.map(({ path }) => path)).toEqual([]);
});
