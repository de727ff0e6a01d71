// A session into an absent tree: everything is written to its final shape in the hidden folder, made
// durable at once, and the parts are renamed in, lists and leaves of a resource together.
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session, SessionOptions } from './session.ts';
import { linkOrCopy, StagedFiles } from './staged-files.ts';
import { STAGING_FOLDER, TREE_PARTS } from './tree-parts.ts';

export const createFreshSession = ({ root, durability }: SessionOptions): Session => {
  const staging = join(root, STAGING_FOLDER);
  const tree = join(staging, 'tree');
  const lists = new StagedFiles(join(staging, 'lists'));
  mkdirSync(tree, { recursive: true });
  // A record's files come one after another, so the last few folders are all worth remembering.
  const recent: string[] = [];
  let written = 0;
  let hasTouched = false;

  const target = (name: string): string => {
    const path = join(tree, name);
    const folder = dirname(path);
    if (!recent.includes(folder)) {
      makeFolder(folder);
      if (recent.push(folder) > 4) recent.shift();
    }
    written += 1;
    return path;
  };

  return {
    putLeaf: ([first = '', ...twins], bytes) => {
      const path = target(first);
      writeFileSync(path, bytes, { flag: 'wx' });
      for (const twin of twins) linkOrCopy(path, target(twin));
    },
    openList: () => lists.openList(),
    putList: (name, { temporary, stamp }) => {
      renameSync(temporary, target(name));
      return { stamp, isSame: false };
    },
    dropList: ({ temporary }) => unlinkSync(temporary),
    remove: () => undefined,
    hasTouched: () => hasTouched,
    place: async () => {
      await durability.syncTree(tree);
      hasTouched = true;
      for (const part of TREE_PARTS) {
        const path = join(tree, part);
        if (existsSync(path)) renameSync(path, join(root, part));
      }
      await durability.syncPaths(root, new Set([root, dirname(root)]));
      rmdirSync(tree);
      rmSync(staging, { recursive: true, force: true });
      return { written, removed: 0, names: null };
    },
    discard: () => rmSync(staging, { recursive: true, force: true }),
  };
};

/** Makes a folder whose parent nearly always stands: one call instead of a walk from the root. */
const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') mkdirSync(folder, { recursive: true });
    else if (code !== 'EEXIST') throw error;
  }
};
