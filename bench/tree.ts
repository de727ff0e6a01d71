// What a tree is made of: its files with their sizes, and each set of bytes once however many names it has.
// Hidden folders hold what is staged and what waits to be freed, which may go at any moment: they are no part of it.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PACKED_FOLDER } from '../src/content/tree/names.ts';

export type TreeFile = { readonly name: string; readonly bytes: number };

export type TreeFacts = {
  readonly files: readonly TreeFile[];
  /** Bytes of all names. */
  readonly bytes: number;
  /** Bytes on the disk: hard links counted once. */
  readonly storedBytes: number;
};

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path);
      return entry.isFile() ? [path] : [];
    });

export const readTreeFacts = (folder: string): TreeFacts => {
  const files: TreeFile[] = [];
  const seen = new Set<number>();
  let storedBytes = 0;
  for (const path of listFiles(folder)) {
    const { size, ino } = statSync(path);
    files.push({ name: path.slice(folder.length + 1), bytes: size });
    if (!seen.has(ino)) storedBytes += size;
    seen.add(ino);
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { files, bytes, storedBytes };
};

/** Files of the packed tree. */
export const countPacked = ({ files }: TreeFacts): number =>
  files.filter(({ name }) => name.startsWith(`${PACKED_FOLDER}/`)).length;
