// A folder, as rsync would keep it: files that differ are replaced whole, by rename. A run that was killed
// leaves at most one file under a name of its own, which the next one removes.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { DeployTarget, StandingFile } from '../target.ts';

export const createDirTarget = (folder: string): DeployTarget => ({
  list: async () => {
    if (!existsSync(folder)) return new Map();
    removeLeftovers(folder);
    return listFolder(folder);
  },
  isSame: (file, { size, tag }) =>
    file.size === size && readFileSync(join(folder, tag)).equals(file.read()),
  put: async (files) => {
    for (const file of files) {
      const target = join(folder, file.path);
      const temporary = join(dirname(target), `.prepress-${process.pid}.new`);
      mkdirSync(dirname(target), { recursive: true });
      try {
        writeFileSync(temporary, file.read(), { flush: true });
        renameSync(temporary, target);
      } finally {
        rmSync(temporary, { force: true });
      }
    }
  },
  remove: async (paths) => {
    for (const path of paths) {
      rmSync(join(folder, path), { force: true });
      removeIfEmpty(dirname(join(folder, path)));
    }
  },
});

const listFolder = (folder: string): Map<string, StandingFile> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !TEMPORARY.test(entry.name))
      .map((entry) => {
        const path = relative(folder, join(entry.parentPath, entry.name));
        const { size } = statSync(join(folder, path));
        return [path.split(sep).join('/'), { size, tag: path }];
      }),
  );

const TEMPORARY = /^\.prepress-(\d+)\.new$/;

const removeLeftovers = (folder: string): void => {
  for (const { name, parentPath } of readdirSync(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    const [, writer] = TEMPORARY.exec(name) ?? [];
    if (writer === undefined || isRunning(Number(writer))) continue;
    rmSync(join(parentPath, name), { force: true });
    removeIfEmpty(parentPath);
  }
};

/** Another run that is at work here may need its file. */
const isRunning = (processId: number): boolean => {
  try {
    return processId !== process.pid && process.kill(processId, 0);
  } catch {
    return false;
  }
};

const removeIfEmpty = (folder: string): void => {
  try {
    rmdirSync(folder);
  } catch {
    // The folder holds other files.
  }
};
