// Finds the `index.html` copies that stand in the tree, where the record that names them was lost.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findStat } from '../../../base/files/file-stamp.ts';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { FIXED_FILES, idFolder, slugFolder } from '../../../content/paths/files.ts';
import { COPY, RECORD_ID } from '../stale/orphaned-files.ts';

/** True when lists and settings all have copies: a single one may be a file that someone put there. */
export const hasListCopies = (root: string, content: string): boolean =>
  [...RESOURCES, 'settings'].every((folder) => isFile(join(root, content, folder, COPY)));

/** Relative to `root`. Links in place of folders are not followed. */
export const findCopies = (root: string, content: string): string[] =>
  [
    ...FIXED_FILES.map(dirname),
    ...RESOURCES.flatMap((resource) => foldersOf(join(root, content), resource)),
  ]
    .map((folder) => `${content}/${folder}/${COPY}`)
    .filter((path) => isFile(join(root, path)));

const foldersOf = (folder: string, resource: Resource): string[] => {
  if (!foldersIn(folder).includes(resource)) return [];
  const names = foldersIn(join(folder, resource));
  const segments = names.includes('slug') ? foldersIn(join(folder, resource, 'slug')) : [];
  return [
    resource,
    ...names.filter((name) => RECORD_ID.test(name)).map((id) => idFolder(resource, id)),
    ...segments.map((segment) => slugFolder(resource, segment)),
  ];
};

const foldersIn = (folder: string): string[] =>
  findStat(folder)?.isDirectory() === true
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

const isFile = (path: string): boolean => findStat(path)?.isFile() === true;
