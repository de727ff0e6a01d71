import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renameStaged } from '../../../../src/publish/output/session/rename-staged.ts';
import {
  makeReplacedFolder,
  removeReplaced,
} from '../../../../src/publish/output/session/replaced-files.ts';
import { REPLACED_FOLDER } from '../../../../src/publish/output/session/tree-parts.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const WORKER = join(import.meta.dirname, '../../../../dist/file-worker.js');
const skip = existsSync(WORKER) ? false : 'dist/file-worker.js is absent: npm run bundle makes it';

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
    return { temporary, name, isAlias: false };
  });
  return { root, staged };
};

test('a name that is taken fails with the code', async () => {
  const { root, staged } = stage();
  const { name = '' } = staged.at(-1) ?? {};
  mkdirSync(join(root, name, 'of somebody'), { recursive: true });
  await expect(renameStaged({ root, staged })).rejects.toMatchObject({
    code: 'ENOTEMPTY',
    syscall: 'rmdir',
  });
  expect(existsSync(join(root, name, 'of somebody'))).toBe(true);
});

test.skipIf(skip)(
  'one name of each file that was replaced is kept, until it is removed',
  async () => {
    const { root, staged } = stage();
    const [{ name = '' } = {}] = staged;
    linkSync(join(root, name), join(root, 'tags/alias.json'));
    const temporary = join(root, 'spare');
    writeFileSync(temporary, 'new alias');
    const list = [...staged, { temporary, name: 'tags/alias.json', isAlias: true }];
    const inode = statSync(join(root, name)).ino;
    await renameStaged({ root, staged: list }, { workerFile: WORKER, keptMin: 2 });
    const [folder = ''] = readdirSync(join(root, REPLACED_FOLDER));
    const kept = readdirSync(join(root, REPLACED_FOLDER, folder));
    expect(kept).toHaveLength(COUNT / 2);
    const inodes = kept.map((one) => statSync(join(root, REPLACED_FOLDER, folder, one)).ino);
    expect(inodes).toContain(inode);
    // Two builds one after the other: their threads meet.
    for (let round = 0; round < 4; round += 1) removeReplaced(root, true, WORKER);
    await eventually(() => expect(existsSync(join(root, REPLACED_FOLDER))).toBe(false));
    expect(readFileSync(join(root, name), 'utf8')).toBe('new 0');
  },
);

const DESCRIPTORS = '/proc/self/fd';

const openNames = (): string[] =>
  readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(DESCRIPTORS, descriptor))];
    } catch {
      return [];
    }
  });

test.skipIf(existsSync(DESCRIPTORS) ? false : 'the system has no /proc')(
  'the few files that were replaced are freed later',
  async () => {
    const { root, staged } = stage();
    const [{ name = '' } = {}] = staged;
    const replaced = `${join(root, name)} (deleted)`;
    await renameStaged({ root, staged: staged.slice(0, 2) });
    expect(readFileSync(join(root, name), 'utf8')).toBe('new 0');
    expect(openNames()).toContain(replaced);
    await eventually(() => expect(openNames()).not.toContain(replaced));
    // A rename that fails, as on a full disk, frees those before it.
    const [next, ...others] = staged
      .slice(2, 4)
      .map((file, at) => (at === 0 ? file : { ...file, temporary: join(root, 'absent') }));
    const before = `${join(root, String(next?.name))} (deleted)`;
    const failing = renameStaged({ root, staged: next === undefined ? [] : [next, ...others] });
    await expect(failing).rejects.toMatchObject({ code: 'ENOENT' });
    expect(openNames()).toContain(before);
    await eventually(() => expect(openNames()).not.toContain(before));
  },
);

test('where nothing can be kept, nothing is', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, REPLACED_FOLDER), 'in the way');
  expect(makeReplacedFolder(root)).toBeUndefined();
});
