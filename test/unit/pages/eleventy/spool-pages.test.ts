// Pages in a scratch file: each is made once, one after the other, and reads as it was made; the file goes with the work.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { OWNER_MARK } from '../../../../src/base/files/stale-folders.ts';
import { withSpooled } from '../../../../src/pages/eleventy/spool-pages.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

afterEach(() => void vi.unstubAllEnvs());

test('pages are made once and read again, and nothing is left', async () => {
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  const made: string[] = [];
  const pages = ['one', '', 'zwölf'].map((text, at) => ({
    path: `${at}.md`,
    read: () => {
      made.push(text);
      return Buffer.from(text);
    },
  }));
  const read = await withSpooled(pages, async (spooled) => {
    expect(made).toEqual(['one', '', 'zwölf']);
    return [...spooled, ...spooled].map(({ path, read: again }) => [path, String(again())]);
  });
  expect(read.slice(0, 3)).toEqual([
    ['0.md', 'one'],
    ['1.md', ''],
    ['2.md', 'zwölf'],
  ]);
  expect(read.slice(3)).toEqual(read.slice(0, 3));
  expect(made).toHaveLength(3);
  const failing = withSpooled(pages, () => Promise.reject(new Error('No place')));
  await expect(failing).rejects.toThrow('No place');
  expect(readdirSync(folder)).toEqual([]);
});

test('what the temporary folder refuses is no fault of the pages, and leaves nothing', async () => {
  const pages = [{ path: 'a.md', read: () => Buffer.from('a') }];
  const spool = () => withSpooled(pages, () => Promise.resolve());
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', join(folder, 'absent'));
  await expect(spool()).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    message: expect.stringMatching(
      /^Pages cannot be kept in the temporary folder: ENOENT at mkdtemp of /,
    ),
  });
  // The scratch folder has the longest path that can be, and no file in it can be opened.
  const long = longFolder(folder, PATH_BYTES_MAX - `/prepress-pages-${OWNER_MARK}-XXXXXX`.length);
  vi.stubEnv('TMPDIR', long);
  await expect(spool()).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    message: expect.stringContaining(': ENAMETOOLONG at open of '),
  });
  expect(readdirSync(long)).toEqual([]);
});

const PATH_BYTES_MAX = 4_095;

const longFolder = (start: string, length: number): string => {
  let path = start;
  while (length - path.length > 250) path = join(path, 'a'.repeat(200));
  path = join(path, 'a'.repeat(length - path.length - 1));
  mkdirSync(path, { recursive: true });
  return path;
};
