// Writes blobs of the packed tree: into the tree that is being made, or staged beside one that stands. What was staged is
// placed by the session with the records' files. A blob's name says what its bytes are, so none is ever replaced.
import { readFileSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { findStatKey, isFile } from '../../../base/files/stat-key.ts';
import { writeNew } from '../../../base/files/write-all.ts';
import { hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import { compress, holdsCompressed } from './compressed-files.ts';
import type { RecordFileSpec, Staged, StagedRecordFiles } from './record-file-writer.ts';
import { StagedFiles } from './staged-files.ts';

export type BlobFiles = {
  /** Writes a blob to a name relative to the content folder; in a tree that is compared, unless it stands. */
  readonly put: (name: string, bytes: Buffer) => void;
  /** Takes back what was put in this build. */
  readonly drop: (name: string) => void;
  /** The bytes of one that was put or stands; null: no file is there. */
  readonly read: (name: string) => Buffer | null;
  /** Of one that stands and was not put in this build; null: there is none. */
  readonly statKey: (name: string) => string | null;
  /** What is staged, at the end. */
  readonly take: () => StagedRecordFiles;
};

export const createBlobFiles = (spec: RecordFileSpec, root: string): BlobFiles =>
  spec.kind === 'fresh' ? writeFresh(spec) : stage(spec, root);

const readOrNull = (path: string): Buffer | null => (isFile(path) ? readFileSync(path) : null);

const writeFresh = ({ tree, encodings }: Extract<RecordFileSpec, { kind: 'fresh' }>): BlobFiles => {
  const folders = new Set<string>();
  let written = 0;
  const write = (name: string, bytes: Buffer): void => {
    const path = join(tree, name);
    const folder = dirname(path);
    if (!folders.has(folder)) makeFolder(folder);
    folders.add(folder);
    writeNew(path, bytes);
    written += 1;
  };
  return {
    put: (name, bytes) => {
      write(name, bytes);
      if (!hasSidecars(name)) return;
      for (const encoding of encodings) write(sidecarOf(name, encoding), compress(bytes, encoding));
    },
    drop: () => undefined,
    read: (name) => readOrNull(join(tree, name)),
    statKey: () => null,
    take: () => ({ written, staged: [] }),
  };
};

const stage = (
  { staging, compare, encodings }: Extract<RecordFileSpec, { kind: 'replace' }>,
  root: string,
): BlobFiles => {
  const files = new StagedFiles(join(staging, 'blobs'), 'b');
  const own = new OwnFolders(root);
  const staged = new Map<string, Staged>();
  const stands = (name: string, isSame: (path: string) => boolean): boolean => {
    const path = join(root, name);
    return compare && own.has(dirname(path)) && isSame(path);
  };
  const write = (name: string, bytes: Buffer): void => {
    staged.set(name, { temporary: files.write(bytes), name, isAlias: false });
  };
  const put: BlobFiles['put'] = (name, bytes) => {
    if (!stands(name, (path) => readOrNull(path)?.equals(bytes) === true)) write(name, bytes);
    if (!hasSidecars(name)) return;
    for (const encoding of encodings) {
      const sidecar = sidecarOf(name, encoding);
      if (stands(sidecar, (path) => holdsCompressed(path, encoding, bytes))) continue;
      write(sidecar, compress(bytes, encoding));
    }
  };
  return {
    put,
    drop: (name) => {
      for (const one of [name, ...encodings.map((encoding) => sidecarOf(name, encoding))]) {
        const file = staged.get(one);
        if (file !== undefined) unlinkSync(file.temporary);
        staged.delete(one);
      }
    },
    read: (name) => {
      const file = staged.get(name);
      if (file !== undefined) return readFileSync(file.temporary);
      const path = join(root, name);
      return own.has(dirname(path)) ? readOrNull(path) : null;
    },
    statKey: (name) => {
      const path = join(root, name);
      return !staged.has(name) && own.has(dirname(path)) ? findStatKey(path) : null;
    },
    take: () => ({ written: staged.size, staged: [...staged.values()] }),
  };
};
