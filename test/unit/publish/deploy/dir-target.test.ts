// A folder as target: what may stand there, in which order it is made durable, and how it fails.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Durability } from '../../../../src/base/files/durability.ts';
import { createDirTarget } from '../../../../src/publish/deploy/dir/target.ts';
import type { LocalFile } from '../../../../src/publish/deploy/target.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC } from '../../../helpers/tree.ts';

let folder: string;

beforeEach(() => {
  folder = join(temporaryFolder(), 'site');
});

const file = (path: string, text = 'carried'): LocalFile => ({
  path,
  size: text.length,
  read: () => Buffer.from(text),
});
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const target = (durability: Durability = NO_SYNC) => createDirTarget(folder, { durability });

/** Names of temporary files cannot be guessed: a link that stands at one would be followed. */
const named = (path: string): string =>
  path.replace(new RegExp(`\\.prepress-${process.pid}-[\\da-f-]{36}\\.new$`), 'NEW');

test('files are durable before they get their names, and names before the next are', async () => {
  const steps: string[][] = [];
  const durable = target({
    ...NO_SYNC,
    syncPaths: async (root, paths) =>
      void steps.push([...paths].map((path) => named(relative(root, path))).sort()),
  });
  await durable.put([file('posts/a/index.json'), file('posts/b/index.json')]);
  expect(steps.splice(0)).toEqual([
    ['posts/a/NEW', 'posts/b/NEW'],
    ['', 'posts', 'posts/a', 'posts/b'],
  ]);
  expect(readdirSync(join(folder, 'posts/a'))).toEqual(['index.json']);
  await durable.remove(['posts/a/index.json']);
  expect(steps).toEqual([['', 'posts']]);
  expect(existsSync(join(folder, 'posts/a'))).toBe(false);
});

test('what a killed run left goes with the next, what another is writing stays', async () => {
  const gone = join(folder, 'posts/gone');
  mkdirSync(gone, { recursive: true });
  const [old, live] = [99_999_999, process.ppid].map((id) => `.prepress-${id}-7.new`);
  writeFileSync(join(gone, old ?? ''), 'taken back');
  expect((await target().list()).size).toBe(0);
  expect(existsSync(gone)).toBe(false);
  mkdirSync(gone);
  writeFileSync(join(gone, live ?? ''), 'more');
  expect((await target().list()).size).toBe(0);
  expect(existsSync(join(gone, live ?? ''))).toBe(true);
});

test('two versions of one length within a second have two times, so that servers see two files', async () => {
  const seconds: number[] = [];
  for (const text of ['first', 'other', 'third']) {
    await target().put([file('index.json', text)]);
    seconds.push(Math.floor(statSync(join(folder, 'index.json')).mtimeMs / 1_000));
  }
  expect(new Set(seconds).size).toBe(3);
});

test('a link in place of a folder makes way, and what it points to stays as it is', async () => {
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'index.json'), "somebody else's");
  mkdirSync(folder);
  symlinkSync(outside, join(folder, 'posts'));
  expect([...(await target().list()).keys()]).toEqual([]);
  await target().remove(['posts/index.json']);
  await target().put([file('posts/index.json')]);
  expect(read('posts/index.json')).toBe('carried');
  expect(readFileSync(join(outside, 'index.json'), 'utf8')).toBe("somebody else's");
  expect(readdirSync(outside)).toEqual(['index.json']);
  expect([...(await target().list()).keys()]).toEqual(['posts/index.json']);
});

test("a file in place of the output's folder is somebody else's, and stays", async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'posts'), "somebody else's");
  await expect(target().put([file('posts/index.json')])).rejects.toMatchObject({
    code: 'FILE_FAILED',
    message: `The target cannot be written: ${join(folder, 'posts')} is a file, and a folder is needed.`,
  });
  expect(read('posts')).toBe("somebody else's");
});

test('the folder itself may be a link', async () => {
  const real = temporaryFolder();
  symlinkSync(real, folder);
  await target().put([file('posts/index.json')]);
  expect(readFileSync(join(real, 'posts/index.json'), 'utf8')).toBe('carried');
  await target().remove(['posts/index.json']);
  expect(readdirSync(real)).toEqual([]);
});

test('a target in the output, or around it, is refused by whatever name', () => {
  const output = temporaryFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(output, link);
  for (const place of [
    output,
    join(output, 'sub/sub'),
    join(link, 'sub'),
    join(output, '..'),
    '/',
  ]) {
    expect(() => createDirTarget(place, { output }), place).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  }
  createDirTarget(`${output}-beside`, { output });
});

test('what the disk refuses is told in one sentence under a code', async () => {
  mkdirSync(join(folder, 'posts/index.json/x'), { recursive: true });
  await expect(target().put([file('posts/index.json')])).rejects.toMatchObject({
    code: 'FILE_FAILED',
    message: expect.stringMatching(
      /^The target cannot be .*: illegal operation on a directory at rename of .* \(EISDIR\)\.$/,
    ),
  });
  expect(readdirSync(join(folder, 'posts'))).toEqual(['index.json']);
  const full = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'fsync' });
  const put = target({ ...NO_SYNC, syncPaths: () => Promise.reject(full) }).put([file('a')]);
  await expect(put).rejects.toMatchObject({
    code: 'FILE_FAILED',
    message: expect.stringMatching(
      /the disk was full or out of inodes at fsync of .* \(ENOSPC\)\.$/,
    ),
  });
  expect(existsSync(join(folder, 'a'))).toBe(false);
});
