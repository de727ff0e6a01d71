// The sidecars of single files of a session: noted with their file, and compressed when all files are staged.
import { join } from 'node:path';
import { mapConcurrently } from '../../../base/threads/map-concurrently.ts';
import { type Encoding, hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import { compressFile, type FileFacts, holdsHash } from './compressed-files.ts';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import type { Staged } from './record-file-writer.ts';
import type { StagedFiles } from './staged-files.ts';

/** A sidecar of a list to be made; `kept`: the list stood there before, and its sidecar may too. */
type Compressed = {
  readonly name: string;
  readonly source: string;
  readonly encoding: Encoding;
  readonly kept: FileFacts | null;
};

type Options = {
  /** The content folder. */
  readonly root: string;
  readonly files: StagedFiles;
  readonly encodings: readonly Encoding[];
};

export class StagedSidecars {
  readonly #options: Options;
  readonly #compressed: Compressed[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  add(name: string, source: string, kept: FileFacts | null): void {
    if (!hasSidecars(name)) return;
    const { encodings } = this.#options;
    this.#compressed.push(...encodings.map((encoding) => ({ name, source, encoding, kept })));
  }

  /** Those that do not stand as they should. */
  async stage(): Promise<Staged[]> {
    const { root, files } = this.#options;
    const staged = await mapConcurrently(
      this.#compressed,
      async ({ name, source, encoding, kept }) => {
        const sidecar = sidecarOf(name, encoding);
        if (kept !== null && (await holdsHash(join(root, sidecar), encoding, kept))) return [];
        const temporary = files.next();
        await compressFile(source, temporary, encoding);
        makeMtimeDistinct(temporary, join(root, sidecar));
        return [{ temporary, name: sidecar, isAlias: false }];
      },
    );
    return staged.flat();
  }
}
