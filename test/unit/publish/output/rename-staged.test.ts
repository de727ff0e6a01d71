import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renameStaged } from '../../../../src/publish/output/session/rename-staged.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

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
