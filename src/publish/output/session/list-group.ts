// The single files that a session has staged, such as lists and the root, with their sidecars. A file that stands with
// the same bytes is not staged.
import { unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findHash } from '../../../base/files/file-hash.ts';
import { findStamp } from '../../../base/files/file-stamp.ts';
import type { OwnFolders } from '../../../base/files/own-folders.ts';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import type { Staged } from './record-file-writer.ts';
import type { SessionOptions, Stamped } from './session.ts';
import { StagedFiles } from './staged-files.ts';
import { StagedSidecars } from './staged-sidecars.ts';
import { WholeFiles, type WrittenFile } from './whole-file.ts';

/** Of such files, one goes to the disk while the next one is made. */
const SYNCED_AT_ONCE_MIN = 1024 * 1024;

export class ListGroup {
  readonly files: Staged[] = [];
  readonly #options: SessionOptions;
  readonly #own: OwnFolders;
  readonly #written: StagedFiles;
  readonly #whole = new WholeFiles();
  readonly #sidecars: StagedSidecars;
  /** Of what is on its way to the disk already. */
  readonly syncs: Promise<void>[] = [];

  constructor(options: SessionOptions, staging: string, own: OwnFolders) {
    const { root, encodings } = options;
    this.#options = options;
    this.#own = own;
    this.#written = new StagedFiles(staging, 'l');
    this.#sidecars = new StagedSidecars({ root, files: this.#written, encodings });
  }

  write(pieces: readonly Uint8Array[]): Promise<WrittenFile> {
    return this.#whole.write(this.#written.next(), pieces);
  }

  put(name: string, file: WrittenFile): Stamped {
    const { temporary, stamp } = file;
    const path = join(this.#options.root, name);
    const standing = this.#findStanding(path, file);
    if (standing !== null) {
      unlinkSync(temporary);
      this.#sidecars.add(name, path, file);
      return { stamp: standing, isSame: true };
    }
    const isMoved = makeMtimeDistinct(temporary, path);
    this.files.push({ temporary, name, isAlias: false });
    if (file.size >= SYNCED_AT_ONCE_MIN) this.#sync(temporary);
    this.#sidecars.add(name, temporary, null);
    return { stamp: (isMoved ? findStamp(temporary) : null) ?? stamp, isSame: false };
  }

  /** The stamp of a file that stands there with the same bytes. */
  #findStanding(path: string, { sha256 }: WrittenFile): string | null {
    if (!this.#options.compare || !this.#own.has(dirname(path))) return null;
    const stamp = findStamp(path);
    return stamp !== null && findHash(path)?.equals(sha256) ? stamp : null;
  }

  #sync(temporary: string): void {
    const { durability, root } = this.#options;
    const synced = durability.syncPaths(root, new Set([temporary]));
    // Whoever places it sees it.
    synced.catch(() => undefined);
    this.syncs.push(synced);
  }

  /** When all files are put: stages the sidecars that do not stand as they should. */
  async stageSidecars(): Promise<void> {
    this.files.push(...(await this.#sidecars.stage()));
  }

  listFolders(): Set<string> {
    return new Set(this.files.map(({ name }) => dirname(join(this.#options.root, name))));
  }
}
