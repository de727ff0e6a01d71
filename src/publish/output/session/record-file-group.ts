// The files of records and blobs that a session has staged, as leaf writers hand them over. It makes nothing durable;
// it only has the disk begin.
import { join } from 'node:path';
import { BackgroundSync } from './background-sync.ts';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import { FolderNames } from './folder-names.ts';
import type { Staged, StagedRecordFiles } from './record-file-writer.ts';
import type { SessionOptions } from './session.ts';

/** Of more files, the times stay as they are: to read tens of thousands takes longer than a second. */
const TIMED_LEAVES_MAX = 4_000;

export class RecordFileGroup {
  readonly files: Staged[] = [];
  readonly #root: string;
  readonly #folderNames: FolderNames;
  readonly #early: BackgroundSync;

  constructor({ root, durability }: SessionOptions, staging: string) {
    this.#root = root;
    this.#folderNames = new FolderNames(root);
    this.#early = new BackgroundSync(durability, staging);
  }

  /** The folders that the files belong in. */
  get folders(): Set<string> {
    return this.#folderNames.folders;
  }

  add({ written, staged }: StagedRecordFiles): void {
    const isFew = this.files.length + staged.length <= TIMED_LEAVES_MAX;
    for (const leaf of staged) {
      if (isFew) makeMtimeDistinct(leaf.temporary, join(this.#root, leaf.name));
      this.files.push(leaf);
      this.#folderNames.add(leaf.name);
    }
    this.#early.add(written);
  }

  /** Resolves when no early sync is under way. */
  settle(): Promise<void> {
    return this.#early.settle();
  }
}
