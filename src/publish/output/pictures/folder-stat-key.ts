// How a folder stood when it was read: while its stat key is the same, nothing was put into it or taken out.
import { lstatSync } from 'node:fs';

/** Within this, a second change may leave a folder with the time of the first. */
const SAME_TIME_MS = 2_000;

/** The stat key of a real folder, or null. */
export const findFolderStatKey = (path: string): string | null => {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isDirectory() ? `${stat.ino}-${stat.mtimeNs}-${stat.ctimeNs}` : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
};

/** The stat key when it can be relied on, else an empty text, which no folder has. */
export const settledStatKey = (statKey: string, readMs: number): string => {
  const [, ...times] = statKey.split('-');
  const newestMs = Math.max(...times.map((time) => Number(time) / 1e6));
  return newestMs < readMs - SAME_TIME_MS ? statKey : '';
};
