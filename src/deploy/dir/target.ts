// A folder, as rsync would keep it: files that differ are replaced whole, by rename.
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
  list: async () => (existsSync(folder) ? listFolder(folder) : new Map()),
  isSame: (file, { size, tag }) =>
    file.size === size && readFileSync(join(folder, tag)).equals(file.read()),
  put: async (files) => {
    for (const file of files) {
      const target = join(folder, file.path);
      const temporary = `${target}.${process.pid}.new`;
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
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = relative(folder, join(entry.parentPath, entry.name));
        const { size } = statSync(join(folder, path));
        return [path.split(sep).join('/'), { size, tag: path }];
      }),
  );

const removeIfEmpty = (folder: string): void => {
  try {
    rmdirSync(folder);
  } catch {
    // The folder holds other files.
  }
};
