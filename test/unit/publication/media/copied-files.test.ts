// Files that are copied into the output: durable before they are named, and nothing left of a killed run.
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  type CopiedFiles,
  openCopiedFiles,
} from '../../../../src/publication/media/copied-files.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC } from '../../../helpers/tree.ts';

let folder: string;
let source: string;

beforeEach(() => {
  folder = join(temporaryFolder(), 'images');
  source = join(temporaryFolder(), 'a.png');
  writeFileSync(source, 'a');
  utimesSync(source, 1_000, 1_000);
});

const add = (files: CopiedFiles, name: string): Promise<void> =>
  files.add(source, join(folder, name), { stats: statSync(source) });

test('names come after their bytes are durable, and some hundred at a time', async () => {
  const steps: string[][] = [];
  const files = await openCopiedFiles(folder, {
    durability: {
      ...NO_SYNC,
      syncPaths: async (_, paths) =>
        void steps.push([...paths].map((path) => relative(folder, path)).sort()),
    },
  });
  await add(files, '2026/a.png');
  await add(files, '2026/b.png');
  expect(existsSync(join(folder, '2026'))).toBe(false);
  await files.finish();
  expect(steps.splice(0)).toEqual([
    ['.prepress-import/0', '.prepress-import/1'],
    ['', '..', '2026'],
  ]);
  expect(statSync(join(folder, '2026/b.png')).mtimeMs).toBe(1_000_000);
  for (let at = 0; at < 500; at += 1) await add(files, `many/${at}.png`);
  expect(readdirSync(join(folder, 'many'))).toHaveLength(500);
  await files.finish();
  expect(steps).toHaveLength(2);
});

test('what a killed run left goes with the next, and what a failing one staged with itself', async () => {
  mkdirSync(join(folder, '.prepress-import'), { recursive: true });
  writeFileSync(join(folder, '.prepress-import/7'), 'half');
  const files = await openCopiedFiles(folder, { durability: NO_SYNC });
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(join(folder, 'a.png/x'), { recursive: true });
  await add(files, 'a.png');
  await expect(files.finish()).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    message: `The file ${join(folder, 'a.png')} cannot be written: illegal operation on a directory (EISDIR).`,
  });
  await files.close();
  expect(readdirSync(folder)).toEqual(['a.png']);
});
