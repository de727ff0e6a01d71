// Reads trees, for comparison; it loads nothing of the builder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { REPLACED_FOLDER } from '../../src/publish/output/session/tree-parts.ts';

/** Files of a folder; what waits to be freed may go at any moment and is left out. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== REPLACED_FOLDER)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path);
      return entry.isFile() ? [path] : [];
    });

/** Every file of a folder by its name. */
export const readTree = (folder: string): Map<string, string> => {
  const names = listFiles(folder).map((path) => path.slice(folder.length + 1));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
};

/** Identity of every file of a folder: another inode or time means that it was written. */
export const readStatKeys = (folder: string): Map<string, string> =>
  new Map(
    [...readTree(folder).keys()].map((name) => {
      const { ino, mtimeNs } = statSync(join(folder, name), { bigint: true });
      return [name, `${ino} ${mtimeNs}`];
    }),
  );

export const parseFile = (folder: string, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
