// Removes folders that programs made for one run, and left because they were killed. Of this machine's, the process id in the
// name tells. Programs in other containers may share the folder above them, where age does.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './running-process.ts';

/** Containers have process ids of their own. */
export const HOST_MARK = `-${hostname().replaceAll(/[^\w-]/g, '_')}`;

/** In the name of a folder: which process it is of. */
export const OWNER_MARK = `${process.pid}${HOST_MARK}`;

/** True of a folder of a process of this machine that has ended. */
const isEnded = (name: string): boolean => {
  const end = name.lastIndexOf(`${HOST_MARK}-`);
  const id = Number(name.slice(0, Math.max(end, 0)).split('-').at(-1));
  return id > 0 && !isRunning(id);
};

/** No program needs one for so long. */
const LEFT_MS = 24 * 3_600_000;

export const removeStaleFolders = (
  parent: string,
  isOurs: (name: string) => boolean,
  nowMs = Date.now(),
): void => {
  for (const name of namesIn(parent).filter(isOurs)) {
    const folder = join(parent, name);
    try {
      if (isEnded(name) || nowMs - statSync(folder).mtimeMs > LEFT_MS) {
        rmSync(folder, { recursive: true, force: true });
      }
    } catch {
      // It is another user's, or is gone meanwhile.
    }
  }
};

/** None where there is no folder that can be read. */
export const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
