// The files of records and blobs that a session has staged, as record-file writers hand them over.
import { dirname, join } from 'node:path';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import type { Staged, StagedRecordFiles } from './record-file-writer.ts';

/** Of more files, the times stay as they are: to read tens of thousands takes longer than a second. */
const TIMED_LEAVES_MAX = 4_000;

export class RecordFileGroup {
  readonly files: Staged[] = [];
  readonly folders = new Set<string>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  add({ staged }: StagedRecordFiles): void {
    const isFew = this.files.length + staged.length <= TIMED_LEAVES_MAX;
    for (const leaf of staged) {
      if (isFew) makeMtimeDistinct(leaf.temporary, join(this.#root, leaf.name));
      this.files.push(leaf);
      this.folders.add(dirname(join(this.#root, leaf.name)));
    }
  }
}
