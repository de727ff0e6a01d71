// Makes staged files durable. The disk takes a large file while the next one is made, and the rest at once.
import type { Durability } from '../../../base/files/durability.ts';
import type { Staged } from './record-file-writer.ts';
import type { WrittenFile } from './whole-file.ts';

/** To begin with a smaller file is not worth a call. */
const BEGUN_BYTES_MIN = 1024 * 1024;

export class PendingSyncs {
  readonly #root: string;
  readonly #durability: Durability;
  readonly #begun = new Map<string, Promise<void>>();

  constructor(root: string, durability: Durability) {
    this.#root = root;
    this.#durability = durability;
  }

  begin({ temporary, size }: WrittenFile): void {
    if (size < BEGUN_BYTES_MIN) return;
    const sync = this.#durability.syncPaths(this.#root, new Set([temporary]));
    // It is waited for with the others.
    sync.catch(() => undefined);
    this.#begun.set(temporary, sync);
  }

  /** Resolves when all of the group is on the disk, and what was begun. */
  async sync(group: readonly Staged[]): Promise<void> {
    const files = distinctFiles(group);
    for (const path of this.#begun.keys()) files.delete(path);
    await Promise.all([this.#durability.syncPaths(this.#root, files), ...this.#begun.values()]);
  }

  /** Resolves when none is under way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#begun.values());
  }
}

/** One name of each staged file: a record's two names are mostly the same file. */
const distinctFiles = (group: readonly Staged[]): Set<string> => {
  const files = new Set<string>();
  for (const { temporary, isAlias } of group) if (!isAlias) files.add(temporary);
  return files;
};
