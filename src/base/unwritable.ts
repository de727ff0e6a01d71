// Why nothing can be written in a folder, in words: SQLite says of all of it that it is "unable to open".
import { accessSync, constants } from 'node:fs';

/** Null when the system would let this process write there. */
export const findUnwritableReason = (folder: string): string | null => {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `${folder} lies on a disk that can only be read (EROFS)`;
    if (code === 'ENOENT') return `there is no folder ${folder}`;
    return `this user may not write in ${folder} (${code})`;
  }
};
