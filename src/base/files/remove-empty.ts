// Removes folders that hold nothing any more.
import { rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** False when the folder holds something, or is gone. */
export const removeIfEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
};

/** Those above the file that was at `path`, which is relative to `top`; `top` itself stays. */
export const removeEmptyAbove = (top: string, path: string): void => {
  const folder = dirname(path);
  if (folder !== '.' && removeIfEmpty(join(top, folder))) removeEmptyAbove(top, folder);
};
