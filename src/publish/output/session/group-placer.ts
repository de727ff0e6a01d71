// Renames groups of staged files over their names, in folders of the tree that are its own.
import { dirname, join, relative } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import type { OwnFolders } from '../../../base/files/own-folders.ts';
import { forEachYielding } from '../../../base/threads/for-each-yielding.ts';
import type { Staged } from './record-file-writer.ts';
import { renameStaged } from './rename-staged.ts';

/** Looked at or made before other work of the event loop. */
const FOLDERS_AT_ONCE = 100;

export class GroupPlacer {
  /** Names of placed files that were not there before. */
  readonly added: string[] = [];
  readonly #root: string;
  readonly #own: OwnFolders;

  constructor(root: string, own: OwnFolders) {
    this.#root = root;
    this.#own = own;
  }

  /** Returns the folders that are to be synced. */
  async rename(group: readonly Staged[], folders: Set<string>): Promise<Set<string>> {
    await forEachYielding(folders, (folder) => this.#own.make(folder), FOLDERS_AT_ONCE);
    const fresh = await renameStaged({ root: this.#root, staged: group });
    // Their folders may be new as well.
    await forEachYielding(fresh, (name) => {
      this.added.push(name);
      folders.add(dirname(dirname(join(this.#root, name))));
    });
    return folders;
  }

  /** Only what changed is written, so what else was in that folder would be missing. */
  throwTaken(folders: ReadonlySet<string>): Promise<void> {
    return forEachYielding(
      folders,
      (folder) => {
        if (!this.#own.isTaken(folder)) return;
        const sentence = `${relative(this.#root, folder)} in the output is not a folder any more.`;
        throw new PrepressError('OUTPUT_DIFFERS', sentence);
      },
      FOLDERS_AT_ONCE,
    );
  }
}
