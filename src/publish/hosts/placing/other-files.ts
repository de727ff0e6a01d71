// What lies in the output besides the content tree: images, pages for people, files of hosts. Hosts count
// these too.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { GUARDED_FOLDERS, NOT_FOUND_FILE, SUMMARY_FILE } from '../../../content/paths/files.ts';

export type OtherFile = {
  /** Relative to the output, with `/`. */
  readonly path: string;
  readonly size: number;
};

const OF_TREE = new Set<string>([...GUARDED_FOLDERS, NOT_FOUND_FILE, SUMMARY_FILE]);

/** Folders of the tree are not read: the manifest knows them. */
export const listOtherFiles = (output: string, basePath: string): OtherFile[] => {
  const content = join(output, basePath, 'content');
  const isLeftOut = (folder: string, name: string): boolean =>
    name.startsWith('.prepress-') || (folder === content && OF_TREE.has(name));
  return walk(output, isLeftOut).map((path) => ({
    path: relative(output, path).split(sep).join('/'),
    size: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  }));
};

const walk = (folder: string, isLeftOut: (folder: string, name: string) => boolean): string[] =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter(({ name }) => !isLeftOut(folder, name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path, isLeftOut);
      return entry.isFile() ? [path] : [];
    });
