// Why nothing can be written in a folder, in words: SQLite says of all of it that it is "unable to open".
import { accessSync, constants, statfsSync } from 'node:fs';

/** Null when the system would let this process write there. */
export const findUnwritableReason = (folder: string): string | null => {
  try {
    accessSync(folder, constants.W_OK);
    return findFullReason(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `${folder} is on a read-only disk (EROFS)`;
    if (code === 'ENOENT') return `there is no folder ${folder}`;
    return `this user may not write in ${folder} (${code})`;
  }
};

/** One that does not count what is free says 0 of 0. */
const findFullReason = (folder: string): string | null => {
  const { files, ffree, blocks, bavail } = statfsSync(folder);
  if (files > 0 && ffree === 0) {
    return `${folder} is on a disk that is out of inodes: it takes no more files, whatever their size`;
  }
  return blocks > 0 && bavail === 0 ? `${folder} is on a full disk` : null;
};

/** The same, as states show it. */
export const findDiskProblem = (
  code: 'DATABASE_UNWRITABLE' | 'OUTPUT_UNWRITABLE',
  folder: string,
): { code: string; message: string } | null => {
  const reason = findUnwritableReason(folder);
  return reason === null ? null : { code, message: `${reason}.` };
};
