// Edits of which one build is made, however slowly the machine gets through them: none begins before the last.
import { join } from 'node:path';
import { acquireBuildLock } from '../../src/publication/store/locks/build-lock.ts';

export const inOneBuild = async (folder: string, edit: () => void): Promise<void> => {
  const lock = await acquireBuildLock(join(folder, 'data/build.lock.db'), 100_000);
  try {
    edit();
  } finally {
    lock.release();
  }
};
