// Folders of the tree are real ones. A link that someone put in place of a folder is never followed: it
// would lead writing, or removing, to files outside. It makes way, and what it points to stays as it is.
import { existsSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOwnedFolder } from './owner.ts';
import { findStat } from './stat-key.ts';

export class OwnFolders {
  readonly #known: Set<string>;

  constructor(root: string) {
    this.#known = new Set([root]);
  }

  /** True when this folder, and every one above it up to the root, is a real one. */
  has(folder: string): boolean {
    if (this.#known.has(folder)) return true;
    if (dirname(folder) === folder || !this.has(dirname(folder))) return false;
    const isReal = findStat(folder)?.isDirectory() === true;
    if (isReal) this.#known.add(folder);
    return isReal;
  }

  /** True when something that is no folder stands here, or above. */
  isTaken(folder: string): boolean {
    return this.findTaken(folder) !== null;
  }

  /** The place, here or above, where something stands that is no folder; the uppermost of several. */
  findTaken(folder: string): string | null {
    if (this.#known.has(folder) || dirname(folder) === folder) return null;
    const above = this.findTaken(dirname(folder));
    if (above !== null) return above;
    const stat = findStat(folder);
    if (stat?.isDirectory()) this.#known.add(folder);
    return stat === undefined || stat.isDirectory() ? null : folder;
  }

  /** Makes what is not there; a file or link in its place is removed. Throws outside of the root. */
  make(folder: string): void {
    if (this.#known.has(folder)) return;
    if (dirname(folder) === folder) throw new Error('A folder outside of the tree was to be made.');
    this.make(dirname(folder));
    const stat = findStat(folder);
    if (stat !== undefined && !stat.isDirectory()) unlinkSync(folder);
    if (stat?.isDirectory() !== true) makeOwnedFolder(folder);
    this.#known.add(folder);
  }

  forget(folder: string): void {
    this.#known.delete(folder);
  }
}

/** The nearest folders above these removed names that still stand, up to `root`. */
export const foldersLeftOf = (root: string, names: readonly string[]): Set<string> =>
  new Set(
    names.map((name) => {
      let folder = dirname(join(root, name));
      // A link that leads nowhere cannot be synced.
      while (folder !== root && !existsSync(folder)) folder = dirname(folder);
      return folder;
    }),
  );
