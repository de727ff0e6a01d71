// Files on the disk that have the shape of the tree's own but that no record or list has any more, as a build that broke off
// may leave some that no manifest names. Files of another shape are somebody else's; links are never followed.
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES, type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import { fileIn, idFolder, slugFolder } from '../../../content/paths/files.ts';
import {
  type Encoding,
  findDocument,
  findEncoding,
  sidecarsOf,
} from '../../../content/paths/sidecars.ts';
import { findEntries } from './find-entries.ts';

export type StandingNames = {
  readonly ids: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly listNames: ReadonlySet<string>;
  /** Those of which files have sidecars. */
  readonly encodings: readonly Encoding[];
  /** The tree was left by a finished build: records have old sidecars only where lists have them. */
  readonly isKnown: boolean;
};

export const RECORD_ID = /^[0-9a-f]{24}$/;
const PAGE = /^page-\d+(?:-[a-z-]+)?\.json$/;

/** Names, relative to `root`, of a resource's stale files. */
export const findOrphanedFiles = (
  root: string,
  resource: Resource,
  standing: StandingNames,
): string[] => {
  const byId = findEntries(join(root, resource)).filter(({ name }) => name !== 'slug');
  const bySlug = findEntries(join(root, resource, 'slug')).filter((entry) => entry.isDirectory());
  const lists = orphanedLists(resource, byId, standing);
  const records = byId.filter((entry) => entry.isDirectory() && RECORD_ID.test(entry.name));
  const ids = split(records, standing.ids);
  const segments = split(bySlug, standing.segments);
  const gone = [
    ...ids.others.map((id) => idFolder(resource, id)),
    ...segments.others.map((segment) => slugFolder(resource, segment)),
  ];
  const kept = [
    ...ids.known.map((id) => idFolder(resource, id)),
    ...segments.known.map((segment) => slugFolder(resource, segment)),
  ];
  const isClean = standing.isKnown && !lists.some((name) => findEncoding(name) !== null);
  return [
    ...gone.flatMap((folder) => filesIn(resource, folder)),
    ...lists,
    ...(isClean ? [] : kept.flatMap((folder) => oldSidecars({ root, resource }, folder, standing))),
  ];
};

/** The copy for hosts without rules: what names it may be lost with the manifest. */
export const COPY = 'index.html';

/** All that a record's folder may hold. */
const filesIn = (resource: Resource, folder: string): string[] => [
  ...SHAPES[resource].recordVariants.flatMap((variant) => {
    const file = fileIn(folder, variant);
    return [...sidecarsOf(file), file];
  }),
  `${folder}/${COPY}`,
];

/** True for a file that some record's folder may hold. */
export const isOwnName = (name: string): boolean =>
  RESOURCES.some((resource) => filesIn(resource, 'any').includes(`any/${name}`));

const orphanedLists = (
  resource: Resource,
  entries: readonly Dirent[],
  { listNames, encodings }: StandingNames,
): string[] => {
  const listFiles = new Set(SHAPES[resource].listVariants.map(({ name }) => `${name}.json`));
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${resource}/${entry.name}`)
    .filter((name) => {
      const file = findDocument(name) ?? name;
      const own = file.slice(resource.length + 1);
      if (!listFiles.has(own) && !PAGE.test(own)) return false;
      return !listNames.has(file) || isOld(name, encodings);
    });
};

/** Sidecars beside a record's files, of encodings that an earlier build had. */
const oldSidecars = (
  { root, resource }: { readonly root: string; readonly resource: Resource },
  folder: string,
  { encodings }: StandingNames,
): string[] => {
  const files = SHAPES[resource].recordVariants.map((variant) => fileIn(folder, variant));
  return findEntries(join(root, folder))
    .filter((entry) => entry.isFile() && isOld(entry.name, encodings))
    .map((entry) => `${folder}/${entry.name}`)
    .filter((name) => files.includes(findDocument(name) ?? ''));
};

const isOld = (name: string, encodings: readonly Encoding[]): boolean => {
  const encoding = findEncoding(name);
  return encoding !== null && !encodings.includes(encoding);
};

type Split = { readonly known: readonly string[]; readonly others: readonly string[] };

const split = (folders: readonly Dirent[], names: ReadonlySet<string>): Split => ({
  known: folders.map(({ name }) => name).filter((name) => names.has(name)),
  others: folders.map(({ name }) => name).filter((name) => !names.has(name)),
});
