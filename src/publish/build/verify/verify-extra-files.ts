// Finds files that nobody of ours placed. In the content tree nothing else belongs; what lies beside it in the output is
// somebody's own, and is only noted. Pictures and other media are not looked at here.
import { type Dirent, existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isInside } from '../../../base/files/inside.ts';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { IMAGE_FOLDERS, SUMMARY_FILE } from '../../../content/paths/files.ts';
import { findDocument } from '../../../content/paths/sidecars.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../../content/tree/names.ts';
import type { Finding } from '../../manifest/finding.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { findEntries } from '../../output/stale/find-entries.ts';
import { isOwnName } from '../../output/stale/orphaned-files.ts';

export type ExtraFilesInput = {
  /** The whole output. */
  readonly output: string;
  readonly contentFolder: string;
  readonly manifest: Pick<Manifest, 'files' | 'segments' | 'blobNames'>;
  /** Pages, copies and files of hosts: paths relative to the output. */
  readonly placed: ReadonlySet<string>;
};

export const verifyExtraFiles = (input: ExtraFilesInput): Finding[] => {
  const { contentFolder, output } = input;
  const inContent = (name: string): string => join(contentFolder, name);
  const isPlaced = (path: string): boolean => input.placed.has(relative(output, path));
  const tell = (path: string, isNote: boolean): Finding => ({
    path: relative(contentFolder, path),
    reason: isNote ? NOT_WRITTEN : 'no record needs this file here; remove it',
    ...(isNote && { isNote }),
  });
  const files = new Set([
    ...[...input.manifest.files()].map(({ path }) => path),
    ...input.manifest.blobNames().map(blobFile),
  ]);
  const isKnown = (path: string): boolean => {
    const name = relative(contentFolder, path);
    return files.has(name) || files.has(findDocument(name) ?? '');
  };
  const isLeftTree = (path: string): boolean => isTree(path) && !isInside(contentFolder, path);
  const found: Finding[] = [];
  const walk = (folder: string, isNote: boolean): void => {
    for (const entry of list(folder)) {
      const path = join(folder, entry.name);
      if (isNote && OF_GIT.includes(entry.name)) continue;
      if (path === contentFolder) walkContent();
      else if (isNote && isLeftTree(path)) found.push(leftTree(path));
      else if (entry.isDirectory()) walk(path, isNote);
      else if (!isPlaced(path) && !isKnown(path)) found.push(tell(path, isNote));
    }
  };
  const walkContent = (): void => {
    for (const entry of list(contentFolder)) {
      const path = inContent(entry.name);
      if (IMAGE_FOLDERS.some((name) => name === entry.name)) continue;
      const resource = RESOURCES.find((name) => name === entry.name);
      if (resource !== undefined && entry.isDirectory()) walkResource(resource);
      else if (entry.isDirectory()) walk(path, false);
      else if (!isPlaced(path) && !isKnown(path)) found.push(tell(path, false));
    }
  };
  const walkResource = (resource: Resource): void => {
    const records = input.manifest.segments(resource);
    const ids = new Set(records.map(({ id }) => id));
    const segments = new Set(records.map(({ segment }) => segment));
    const walkRecords = (folder: string, names: ReadonlySet<string>): void => {
      for (const entry of list(folder)) {
        const path = join(folder, entry.name);
        if (entry.name === 'slug' && folder === inContent(resource)) walkRecords(path, segments);
        else if (!entry.isDirectory()) {
          // Records whose folder is a link were found with their files.
          const isOurs = isPlaced(path) || isKnown(path) || names.has(entry.name);
          if (!isOurs) found.push(tell(path, false));
        } else if (names.has(entry.name)) walkRecord(path);
        else walk(path, false);
      }
    };
    walkRecords(inContent(resource), ids);
  };
  const walkRecord = (folder: string): void => {
    for (const entry of list(folder)) {
      const path = join(folder, entry.name);
      const isOurs = entry.isFile() && entry.name !== 'index.html' && isOwnName(entry.name);
      if (entry.isDirectory()) walk(path, false);
      else if (!isOurs && !isPlaced(path)) found.push(tell(path, false));
    }
  };
  walk(output, true);
  return found;
};

/** Said of a file beside the content tree. */
export const NOT_WRITTEN = 'Prepress did not write this file, and leaves it';

const isTree = (folder: string): boolean =>
  basename(folder) === 'content' &&
  [SUMMARY_FILE, PACKED_ROOT_FILE].every((name) => existsSync(join(folder, name)));

const leftTree = (folder: string): Finding => ({
  path: '',
  reason: `${folder} is the content of an earlier basePath and keeps what was withdrawn since; remove it here and on the targets if nothing else uses it`,
  isNote: true,
});

/** Somebody who pushes the output keeps these beside the content tree. */
const OF_GIT: readonly string[] = ['.git', '.gitignore'];

/** Without the hidden folders of runs. */
const list = (folder: string): Dirent[] =>
  findEntries(folder).filter(
    (entry) => !(entry.isDirectory() && entry.name.startsWith('.prepress-')),
  );
