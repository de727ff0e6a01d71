// Writes records' files, in the session's thread or in a worker: straight into the final shape of a tree
// that is not there yet, or staged beside one that stands. What was staged is handed to the session, which
// alone places it. Sidecars are made with their files. Runs in workers, so a spec holds plain data only.
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { makeOwnedFolder } from '../../../base/files/owner.ts';
import { writeNew } from '../../../base/files/write-all.ts';
import { isRecordFile } from '../../../content/paths/files.ts';
import { type Encoding, sidecarOf } from '../../../content/paths/sidecars.ts';
import { compress, holdsCompressed } from './compressed-files.ts';
import { linkOrCopy, StagedFiles } from './staged-files.ts';

export type RecordFileSpec = {
  /** Each file gets a sidecar of each. */
  readonly encodings: readonly Encoding[];
} & (
  | { readonly kind: 'fresh'; readonly tree: string }
  | {
      readonly kind: 'replace';
      readonly root: string;
      readonly staging: string;
      /** Files that stand with the same bytes are skipped. */
      readonly compare: boolean;
    }
);

export type Staged = {
  readonly temporary: string;
  readonly name: string;
  /** The same file as the one before, under the record's other name; a copy of it is none. */
  readonly isAlias: boolean;
};

export type StagedRecordFiles = {
  /** Names that were written, a record's two names and their sidecars counted each. */
  readonly written: number;
  readonly staged: readonly Staged[];
};

export type RecordFileWriter = {
  /** Writes a file into a record's folders (by id, by slug). */
  readonly put: (folders: readonly string[], file: string, bytes: Buffer) => void;
  /** What was written since the last call. */
  readonly take: () => StagedRecordFiles;
};

/** `label` keeps the names of several writers apart; one that has no other beside it needs none. */
export const createRecordFileWriter = (spec: RecordFileSpec, label: string): RecordFileWriter => {
  const writer = spec.kind === 'fresh' ? writeFresh(spec) : stageLeaves(spec, label);
  return {
    ...writer,
    put: (folders, file, bytes) => {
      const other = folders.find((folder) => !isRecordFile(`${folder}/${file}`));
      if (other !== undefined) throw new Error(`${other}/${file} is no name of a record's file.`);
      writer.put(folders, file, bytes);
    },
  };
};

type FreshSpec = Extract<RecordFileSpec, { kind: 'fresh' }>;

const writeFresh = ({ tree, encodings }: FreshSpec): RecordFileWriter => {
  /** Of the records that were written since the last `take`. */
  const made = new Set<string>();
  let written = 0;
  const target = (folder: string, file: string): string => {
    // A record's name holds nothing to be resolved, and joining paths costs as much as a third of a file.
    const path = `${tree}/${folder}`;
    if (!made.has(folder)) {
      makeLeafFolder(path);
      made.add(folder);
    }
    written += 1;
    return `${path}/${file}`;
  };
  const write: RecordFileWriter['put'] = ([first = '', ...others], file, bytes) => {
    const path = target(first, file);
    writeNew(path, bytes);
    for (const other of others) linkOrCopy(path, target(other, file));
  };
  return {
    put: (folders, file, bytes) => {
      write(folders, file, bytes);
      for (const encoding of encodings) {
        write(folders, sidecarOf(file, encoding), compress(bytes, encoding));
      }
    },
    take: () => {
      const leaves = { written, staged: [] };
      written = 0;
      made.clear();
      return leaves;
    },
  };
};

/** Makes a folder whose parent nearly always stands: one call instead of a walk from the root. */
const makeLeafFolder = (folder: string): void => {
  try {
    makeOwnedFolder(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') makeFolder(folder);
    else if (code !== 'EEXIST') throw error;
  }
};

type StageSpec = Extract<RecordFileSpec, { kind: 'replace' }>;

const stageLeaves = (spec: StageSpec, label: string): RecordFileWriter => {
  const { root, staging, compare, encodings } = spec;
  // A folder for each of several: in one, they would wait for each other at every file.
  const files = new StagedFiles(join(staging, label), label);
  const own = new OwnFolders(root);
  let staged: Staged[] = [];
  const stage: RecordFileWriter['put'] = ([first, ...others], file, bytes) => {
    const temporary = files.write(bytes);
    staged.push({ temporary, name: `${first}/${file}`, isAlias: false });
    for (const other of others) {
      const alias = files.next();
      const name = `${other}/${file}`;
      staged.push({ temporary: alias, name, isAlias: linkOrCopy(temporary, alias) });
    }
  };
  type IsSame = (path: string) => boolean;
  const stand = (folders: readonly string[], file: string, isSame: IsSame): boolean =>
    compare &&
    folders.every((name) => {
      const folder = join(root, name);
      return own.has(folder) && isSame(`${folder}/${file}`);
    });
  return {
    put: (folders, file, bytes) => {
      if (!stand(folders, file, (path) => holds(path, bytes))) stage(folders, file, bytes);
      for (const encoding of encodings) {
        const sidecar = sidecarOf(file, encoding);
        if (stand(folders, sidecar, (path) => holdsCompressed(path, encoding, bytes))) continue;
        stage(folders, sidecar, compress(bytes, encoding));
      }
    },
    take: () => {
      const leaves = { written: staged.length, staged };
      staged = [];
      return leaves;
    },
  };
};

const holds = (path: string, bytes: Buffer): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === bytes.length && readFileSync(path).equals(bytes);
};
