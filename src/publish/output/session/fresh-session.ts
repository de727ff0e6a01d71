// A session into an absent tree: everything is written to its final shape in the hidden folder, made
// durable at once, and the parts are renamed in, lists and leaves of a resource together.
import { existsSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { mapConcurrently } from '../../../base/threads/map-concurrently.ts';
import { type Encoding, hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import { compressFile } from './compressed-files.ts';
import type { Session, SessionOptions } from './session.ts';
import { StagedFiles } from './staged-files.ts';
import { STAGING_FOLDER, TREE_PARTS } from './tree-parts.ts';
import { WholeFiles } from './whole-file.ts';

export const createFreshSession = (options: SessionOptions): Session => {
  const { root, encodings, durability } = options;
  const staging = join(root, STAGING_FOLDER);
  const tree = join(staging, 'tree');
  const lists = new StagedFiles(join(staging, 'lists'), 'l');
  const whole = new WholeFiles();
  makeFolder(tree);
  const compressed: { readonly path: string; readonly encoding: Encoding }[] = [];
  let written = 0;
  let hasTouched = false;
  return {
    leaves: { kind: 'fresh', tree, encodings },
    addRecordFiles: (leaves) => {
      written += leaves.written;
    },
    writeFile: (pieces) => whole.write(lists.next(), pieces),
    putFile: (name, { temporary, statKey }) => {
      const path = join(tree, name);
      makeFolder(dirname(path));
      renameSync(temporary, path);
      written += 1;
      if (hasSidecars(name)) compressed.push(...encodings.map((encoding) => ({ path, encoding })));
      return { statKey, isSame: false };
    },
    dropFile: ({ temporary }) => unlinkSync(temporary),
    remove: () => undefined,
    hasTouched: () => hasTouched,
    place: async () => {
      await mapConcurrently(compressed, ({ path, encoding }) =>
        compressFile(path, sidecarOf(path, encoding), encoding),
      );
      written += compressed.length;
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
    discard: async () => rmSync(staging, { recursive: true, force: true }),
  };
};
