import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole, writeWholeBeside } from '../../../../src/base/files/write-whole.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('a file is replaced whole, for its owner only, whatever a killed run left', () => {
  const folder = join(temporaryFolder(), 'new');
  const file = join(folder, 'secret');
  mkdirSync(folder);
  writeFileSync(`${file}.new`, 'half', { mode: 0o666 });
  writeWhole(file, 'whole');
  expect(readFileSync(file, 'utf8')).toBe('whole');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test('the draft of a program that runs is left alone', () => {
  const folder = temporaryFolder();
  const other = `file.${process.ppid}.new`;
  for (const name of [other, 'file.4194305.new', 'file.new', 'file.x.new', 'profile.new']) {
    writeFileSync(join(folder, name), 'half');
  }
  writeWhole(join(folder, 'file'), 'whole');
  expect(readdirSync(folder).sort()).toEqual(['file', 'file.x.new', other, 'profile.new'].sort());
  expect(readFileSync(join(folder, other), 'utf8')).toBe('half');
});

test('a failure leaves what was there, and nothing beside it', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
  expect(() => writeWhole(join(folder, 'taken'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(['taken']);
});

test('a text that is written beside other work replaces a file whole', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'list');
  await writeWholeBeside(file, 'abc');
  expect(readFileSync(file, 'utf8')).toBe('abc');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
  await expect(writeWholeBeside(join(folder, 'taken'), 'text')).rejects.toThrow(
    /EISDIR|ENOTEMPTY|EEXIST/,
  );
  expect(readdirSync(folder)).toEqual(['list', 'taken']);
});
