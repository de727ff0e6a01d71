// Pages in a scratch file: each is made once, one after the other, and reads as it was made; the file goes with the work.
import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
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
