// The files of records and blobs that a session has staged, as leaf writers hand them over.
import { join } from 'node:path';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import { FolderNames } from './folder-names.ts';
import type { Staged, StagedRecordFiles } from './record-file-writer.ts';

/** Of more files, the times stay as they are: to read tens of thousands takes longer than a second. */
const TIMED_LEAVES_MAX = 4_000;

export class RecordFileGroup {
  readonly files: Staged[] = [];
  readonly #root: string;
  readonly #folderNames: FolderNames;

  constructor(root: string) {
    this.#root = root;
    this.#folderNames = new FolderNames(root);
  }

  /** The folders that the files belong in. */
  get folders(): Set<string> {
    return this.#folderNames.folders;
  }

  add({ staged }: StagedRecordFiles): void {
    const isFew = this.files.length + staged.length <= TIMED_LEAVES_MAX;
    for (const leaf of staged) {
      if (isFew) makeMtimeDistinct(leaf.temporary, join(this.#root, leaf.name));
      this.files.push(leaf);
      this.#folderNames.add(leaf.name);
    }
  }
}
