// The end of placing folders from the media folder: files get their names, what left the media folder is taken out,
// each durable, and only then the index says so. What breaks off in between is found again by the next run.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import type { Durability } from '../../../base/files/durability.ts';
import { foldersLeftOf, OwnFolders } from '../../../base/files/own-folders.ts';
import { removeIfEmpty } from '../../../base/files/remove-empty.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import type { CopiedFiles } from '../../../publication/media/copied-files.ts';
import {
  emptyReason,
  holdsFile,
  isSameFile,
  type Skipped,
} from '../../../publication/media/media-folder.ts';
import type { MediaIndex, PlacedFile } from '../../../publication/media/media-index.ts';
import { findFolderStatKey, settledStatKey } from './folder-stat-key.ts';

type PlacedFolder = {
  readonly folder: string;
  /** Stat key in the media folder before it was read; null: it is gone from there. */
  readonly source: string | null;
  readonly readMs: number;
  /** Files that the index does not have as they are now. */
  readonly files: readonly PlacedFile[];
  /** Files that the index has and the media folder has not. */
  readonly gone: readonly PlacedFile[];
};

type Options = {
  readonly media: string;
  readonly root: string;
  readonly index: MediaIndex;
  readonly durability: Durability;
};

const PENDING_FILES_MAX = 2_000;

export class PlacedFolders {
  readonly #options: Options;
  #pending: PlacedFolder[] = [];
  #files = 0;
  #isEmpty: boolean | null = null;
  #keptFiles = 0;
  removed = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** What is kept although the media folder has it no more. */
  get kept(): readonly Skipped[] {
    if (this.#keptFiles === 0) return [];
    const { media } = this.#options;
    return [{ path: media, reason: emptyReason(media, this.#keptFiles) }];
  }

  /** Children come before the folder that they lie in. */
  add(placed: PlacedFolder): void {
    this.#pending.push(placed);
    this.#files += placed.files.length;
  }

  isLarge(): boolean {
    return this.#files > PENDING_FILES_MAX;
  }

  async settle(files: CopiedFiles): Promise<void> {
    await files.finish();
    const pending = this.#pending;
    this.#pending = [];
    this.#files = 0;
    const removable: PlacedFolder[] = [];
    for (const one of pending) {
      const standing = this.#standingOf(one).length;
      if (standing === 0 || !(await this.#isMediaEmpty())) removable.push(one);
      else this.#keptFiles += standing;
    }
    const { root, durability } = this.#options;
    const removed = removable.flatMap((one) => this.#remove(one));
    this.removed += removed.length;
    if (removed.length > 0) await durability.syncPaths(root, foldersLeftOf(root, removed));
    for (const one of removable) await this.#record(one);
  }

  async #isMediaEmpty(): Promise<boolean> {
    this.#isEmpty ??= !(await holdsFile(this.#options.media));
    return this.#isEmpty;
  }

  /** What of the gone files stands in the output; one that somebody replaced is not ours any more. */
  #standingOf({ folder, gone }: PlacedFolder): readonly PlacedFile[] {
    const { root } = this.#options;
    const target = join(root, folder);
    if (!new OwnFolders(root).has(target)) return [];
    return gone.filter((file) => {
      const found = findStat(join(target, file.name));
      return found?.isFile() === true && isSameFile(found, file);
    });
  }

  /** Paths of the files that were removed. */
  #remove(placed: PlacedFolder): string[] {
    const { root } = this.#options;
    const { folder, source } = placed;
    const target = join(root, folder);
    const ours = this.#standingOf(placed);
    for (const { name } of ours) rmSync(join(target, name), { force: true });
    if (source === null && new OwnFolders(root).has(target)) removeIfEmpty(target);
    return ours.map(({ name }) => `${folder}/${name}`);
  }

  async #record({ folder, source, readMs, files, gone }: PlacedFolder): Promise<void> {
    const { root, index } = this.#options;
    for (let at = 0; at < files.length; at += PENDING_FILES_MAX) {
      index.putFiles(folder, files.slice(at, at + PENDING_FILES_MAX));
      await tick();
    }
    index.removeFiles(
      folder,
      gone.map(({ name }) => name),
    );
    if (source === null) index.removeFolder(folder);
    else {
      const target = findFolderStatKey(join(root, folder)) ?? '';
      index.putFolder(folder, {
        source: settledStatKey(source, readMs),
        target: settledStatKey(target, readMs),
      });
    }
  }
}
