// Files that a host reads: where they are made, and what of a killed run becomes of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { placeHostFiles } from '../../../src/emit/host-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

let root: string;

const write = (path: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), 'half made');
};
const place = (...paths: readonly string[]): string[] =>
  placeHostFiles({
    root,
    content: 'content',
    record: join(root, '../host-files.json'),
    files: paths.map((path) => ({ path, text: 'rules' })),
  });

beforeEach(() => {
  root = join(temporaryFolder(), 'output');
});

test('what a killed run left half made goes with the next, though that writes nothing', () => {
  place('_headers', 'content/posts/by-slug/00.json');
  const left = ['.prepress-hosts/1', 'content/.prepress-hosts/1'];
  for (const path of left) write(path);
  expect(place('_headers')).toEqual([]);
  expect(left.filter((path) => existsSync(dirname(join(root, path))))).toEqual([]);
  expect(readFileSync(join(root, '_headers'), 'utf8')).toBe('rules');
});
