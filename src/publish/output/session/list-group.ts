// The single files that a session stages, such as lists and the root, with their sidecars. A file that stands with
// the same bytes is not staged. Sidecars are noted with their file, and compressed when all files are staged.
import { unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findHash } from '../../../base/files/file-hash.ts';
import type { OwnFolders } from '../../../base/files/own-folders.ts';
import { findStatKey } from '../../../base/files/stat-key.ts';
import { mapConcurrently } from '../../../base/threads/map-concurrently.ts';
import { type Encoding, hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import { compressFile, type FileFacts, holdsHash } from './compressed-files.ts';
import { makeMtimeDistinct } from './distinct-mtime.ts';
import type { Staged } from './record-file-writer.ts';
import type { Session, SessionOptions } from './session.ts';
import { StagedFiles } from './staged-files.ts';
import { WholeFiles, type WrittenFile } from './whole-file.ts';

/** Of such files, one goes to the disk while the next one is made. */
const SYNCED_AT_ONCE_MIN = 1024 * 1024;

type ListGroup = Pick<Session, 'writeFile' | 'putFile'> & {
  readonly files: readonly Staged[];
  /** Of what is on its way to the disk already. */
  readonly syncs: readonly Promise<void>[];
  /** When all files are put: stages the sidecars that do not stand as they should. */
  readonly stageSidecars: () => Promise<void>;
};

/** A sidecar of a list to be made; `kept`: the list stood there before, and its sidecar may too. */
type Compressed = {
  readonly name: string;
  readonly source: string;
  readonly encoding: Encoding;
  readonly kept: FileFacts | null;
};

export const createListGroup = (
  { root, compare, encodings, durability }: SessionOptions,
  staging: string,
  own: OwnFolders,
): ListGroup => {
  const written = new StagedFiles(staging, 'l');
  const whole = new WholeFiles();
  const files: Staged[] = [];
  const syncs: Promise<void>[] = [];
  const compressed: Compressed[] = [];

  /** The stat key of a file that stands there with the same bytes. */
  const findStanding = (path: string, { sha256 }: WrittenFile): string | null => {
    if (!compare || !own.has(dirname(path))) return null;
    const statKey = findStatKey(path);
    return statKey !== null && findHash(path)?.equals(sha256) ? statKey : null;
  };

  const sync = (temporary: string): void => {
    const synced = durability.syncPaths(root, new Set([temporary]));
    // Whoever places it sees it.
    synced.catch(() => undefined);
    syncs.push(synced);
  };

  const noteSidecars = (name: string, source: string, kept: FileFacts | null): void => {
    if (!hasSidecars(name)) return;
    compressed.push(...encodings.map((encoding) => ({ name, source, encoding, kept })));
  };

  const stageSidecar = async ({ name, source, encoding, kept }: Compressed): Promise<Staged[]> => {
    const sidecar = sidecarOf(name, encoding);
    if (kept !== null && (await holdsHash(join(root, sidecar), encoding, kept))) return [];
    const temporary = written.next();
    await compressFile(source, temporary, encoding);
    makeMtimeDistinct(temporary, join(root, sidecar));
    return [{ temporary, name: sidecar, isAlias: false }];
  };

  return {
    files,
    syncs,
    writeFile: (pieces) => whole.write(written.next(), pieces),
    putFile: (name, file) => {
      const { temporary, statKey } = file;
      const path = join(root, name);
      const standing = findStanding(path, file);
      if (standing !== null) {
        unlinkSync(temporary);
        noteSidecars(name, path, file);
        return { statKey: standing, isSame: true };
      }
      const isMoved = makeMtimeDistinct(temporary, path);
      files.push({ temporary, name, isAlias: false });
      if (file.size >= SYNCED_AT_ONCE_MIN) sync(temporary);
      noteSidecars(name, temporary, null);
      return { statKey: (isMoved ? findStatKey(temporary) : null) ?? statKey, isSame: false };
    },
    stageSidecars: async () => {
      files.push(...(await mapConcurrently(compressed, stageSidecar)).flat());
    },
  };
};
