// A program that runs from dist/ is not disturbed by another bundling of the same sources.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeFiles } from '../../../scripts/bundle.js';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a bundle leaves files alone that have their bytes, writes the others, and removes the rest', () => {
  const folder = join(temporaryFolder(), 'dist');
  const file = (name: string): string => join(folder, name);
  const bundle = (texts: Readonly<Record<string, string>>): void =>
    placeFiles(
      folder,
      new Map(Object.entries(texts).map(([name, text]) => [file(name), Buffer.from(text)])),
    );
  bundle({ 'same.js': 'same', 'other.js': 'one', 'desk/gone.js': 'gone', 'run.js': '#!/bin/sh' });
  mkdirSync(file('empty'));
  writeFileSync(file('desk/strange.js'), '');
  const before = statSync(file('same.js')).ino;
  bundle({ 'same.js': 'same', 'other.js': 'two', 'desk/new.js': 'new', 'run.js': '#!/bin/sh' });
  expect(statSync(file('same.js')).ino).toBe(before);
  expect(readFileSync(file('other.js'), 'utf8')).toBe('two');
  expect(readdirSync(file('desk'))).toEqual(['new.js']);
  expect(statSync(file('run.js')).mode & 0o111).toBe(0o111);
});
