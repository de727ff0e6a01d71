// Removes folders that programs made for one run, and left because they were killed. Programs in other containers may share
// the folder above them, where no process id tells whether one still runs: age does.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** No program needs one for so long. */
const LEFT_MS = 24 * 3_600_000;

export const removeLeftFolders = (
  parent: string,
  isOurs: (name: string) => boolean,
  nowMs = Date.now(),
): void => {
  for (const name of namesIn(parent).filter(isOurs)) {
    const folder = join(parent, name);
    try {
      if (nowMs - statSync(folder).mtimeMs > LEFT_MS) {
        rmSync(folder, { recursive: true, force: true });
      }
    } catch {
      // It is another user's, or is gone meanwhile.
    }
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
