// Files on the disk that have the shape of the tree's own but that no record or list has any more. They
// are looked for after a full build, because a build that broke off may have left some that no manifest
// names. Files of another shape are somebody else's and are left alone; links are never followed.
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import { fileIn } from '../paths/files.ts';

export type StandingNames = {
  readonly ids: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly listNames: ReadonlySet<string>;
};

const ID = /^[0-9a-f]{24}$/;
const PAGE = /^page-\d+(?:-[a-z-]+)?\.json$/;

/** Names, relative to `root`, of a resource's stale files. */
export const findStrays = (root: string, resource: Resource, standing: StandingNames): string[] => {
  const variants = SHAPES[resource].recordVariants;
  const listFiles = new Set(SHAPES[resource].listVariants.map(({ name }) => `${name}.json`));
  const inFolder = (folder: string): string[] => [
    ...variants.map((variant) => fileIn(folder, variant)),
    // The copy for hosts without rules: what names it may be lost with the manifest.
    `${folder}/index.html`,
  ];
  const strays: string[] = [];
  for (const entry of list(join(root, resource))) {
    const name = `${resource}/${entry.name}`;
    if (entry.isDirectory() && ID.test(entry.name) && !standing.ids.has(entry.name)) {
      strays.push(...inFolder(name));
    }
    const isList = entry.isFile() && (listFiles.has(entry.name) || PAGE.test(entry.name));
    if (isList && !standing.listNames.has(name)) strays.push(name);
  }
  for (const entry of list(join(root, resource, 'slug'))) {
    if (entry.isDirectory() && !standing.segments.has(entry.name)) {
      strays.push(...inFolder(`${resource}/slug/${entry.name}`));
    }
  }
  return strays;
};

const list = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};
