// Databases that can be made again: one that is damaged, or another Prepress's, is given up.
import { rmSync } from 'node:fs';
import { PrepressError } from '../errors.ts';
import { isUnfit } from './database-fault.ts';

export const openOrRemake = <Opened>(path: string, open: (path: string) => Opened): Opened => {
  try {
    return open(path);
  } catch (error) {
    const code = error instanceof PrepressError ? error.code : '';
    const isForeign = code === 'DATABASE_TOO_NEW' || code === 'MIGRATION_CHANGED';
    if (!isUnfit(error) && !isForeign) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    return open(path);
  }
};
