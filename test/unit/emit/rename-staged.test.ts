import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Rename, type RenameOptions, withRenamer } from '../../../src/emit/rename-staged.ts';
import { makeReplacedFolder, removeReplaced } from '../../../src/emit/replaced-files.ts';
import { REPLACED_FOLDER } from '../../../src/emit/tree-parts.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const WORKER = join(import.meta.dirname, '../../../dist/emit-worker.js');
const skip = existsSync(WORKER) ? false : 'dist/emit-worker.js is absent: npm run bundle makes it';

const renameStaged = (input: Parameters<Rename>[0], options: RenameOptions): Promise<string[]> =>
  withRenamer(input.staged.length, (rename) => rename(input), options);

const COUNT = 600;
const FOLDERS = ['posts', 'tags', 'pages'];

/** Files beside a tree in which every other one stands already. */
const stage = () => {
  const root = temporaryFolder();
  const staged = Array.from({ length: COUNT }, (_, at) => {
    const name = `${FOLDERS[at % FOLDERS.length]}/${at}.json`;
    mkdirSync(join(root, name, '..'), { recursive: true });
    if (at % 2 === 0) writeFileSync(join(root, name), 'old');
    const temporary = join(root, `staged-${at}`);
    writeFileSync(temporary, `new ${at}`);
    return { temporary, name, isTwin: false };
  });
  return { root, staged };
};

describe.each([
  ['one thread', null],
  ['several threads', WORKER],
])('%s', (_name, workerFile) => {
  const options = { workerFile, threadedMin: 2, share: 250 };

  test.skipIf(workerFile && skip)(
    'every file gets its name, and the new ones are told',
    async () => {
      const { root, staged } = stage();
      const added = await renameStaged({ root, staged }, options);
      for (const [at, { temporary, name }] of staged.entries()) {
        expect(readFileSync(join(root, name), 'utf8')).toBe(`new ${at}`);
        expect(existsSync(temporary)).toBe(false);
      }
      expect(added).toEqual(staged.filter((_, at) => at % 2 === 1).map(({ name }) => name));
    },
  );

  test.skipIf(workerFile && skip)('a name that is taken fails with the code', async () => {
    const { root, staged } = stage();
    const { name = '' } = staged.at(-1) ?? {};
    mkdirSync(join(root, name, 'of somebody'), { recursive: true });
    await expect(renameStaged({ root, staged }, options)).rejects.toMatchObject({
      code: 'ENOTEMPTY',
      syscall: 'rmdir',
    });
    expect(existsSync(join(root, name, 'of somebody'))).toBe(true);
  });
});

test.skipIf(skip)(
  'threads keep one name of each file that was replaced, until it is removed',
  async () => {
    const { root, staged } = stage();
    const [{ name = '' } = {}] = staged;
    linkSync(join(root, name), join(root, 'tags/twin.json'));
    const temporary = join(root, 'spare');
    writeFileSync(temporary, 'new twin');
    const list = [...staged, { temporary, name: 'tags/twin.json', isTwin: true }];
    const inode = statSync(join(root, name)).ino;
    await renameStaged(
      { root, staged: list },
      {
        workerFile: WORKER,
        threadedMin: 2,
        share: 250,
      },
    );
    const [folder = ''] = readdirSync(join(root, REPLACED_FOLDER));
    const kept = readdirSync(join(root, REPLACED_FOLDER, folder));
    expect(kept).toHaveLength(COUNT / 2);
    const inodes = kept.map((one) => statSync(join(root, REPLACED_FOLDER, folder, one)).ino);
    expect(inodes).toContain(inode);
    removeReplaced(root, true, WORKER);
    await eventually(() => expect(existsSync(join(root, REPLACED_FOLDER))).toBe(false));
    expect(readFileSync(join(root, name), 'utf8')).toBe('new 0');
  },
);

test('where nothing can be kept, nothing is', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, REPLACED_FOLDER), 'in the way');
  expect(makeReplacedFolder(root)).toBeUndefined();
});
