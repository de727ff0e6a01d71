// Writes records' files, in the session's thread or in a worker: straight into the final shape of a tree
// that is not there yet, or staged beside one that stands. What was staged is handed to the session, which
// alone places it. Sidecars are made with their files. Runs in workers, so a spec holds plain data only.
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { OwnFolders } from '../../../base/files/own-folders.ts';
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
  /** Writes a file under its names (by id, by slug). */
  readonly put: (names: readonly string[], bytes: Buffer) => void;
  /** What was written since the last call. */
  readonly take: () => StagedRecordFiles;
};

/** `label` keeps the names of several writers apart; one that has no other beside it needs none. */
export const createRecordFileWriter = (spec: RecordFileSpec, label: string): RecordFileWriter => {
  const writer = spec.kind === 'fresh' ? writeFresh(spec) : stageLeaves(spec, label);
  const checked = new CheckedNames();
  return {
    ...writer,
    put: (names, bytes) => {
      for (const name of names) checked.check(name);
      writer.put(names, bytes);
    },
  };
};

const FOLDERS_MAX = 4;

/** A record's files come one after another, so what was done for the last few folders need not be done again. */
class RecentFolders {
  readonly #recent: string[] = [];

  has(folder: string): boolean {
    return this.#recent.includes(folder);
  }

  add(folder: string): void {
    if (this.#recent.push(folder) > FOLDERS_MAX) this.#recent.shift();
  }
}

/** Looks at a folder, and at what a file is called in one, once. */
class CheckedNames {
  readonly #folders = new RecentFolders();
  readonly #files = new Set<string>();

  /** Throws when it is no name of a record's file. */
  check(name: string): void {
    const end = name.lastIndexOf('/');
    const folder = name.slice(0, end);
    const file = name.slice(end);
    const isKnown = this.#folders.has(folder);
    if (isKnown && this.#files.has(file)) return;
    if (!isRecordFile(name)) throw new Error(`${name} is no name of a record's file.`);
    if (!isKnown) this.#folders.add(folder);
    this.#files.add(file);
  }
}

type FreshSpec = Extract<RecordFileSpec, { kind: 'fresh' }>;

const writeFresh = ({ tree, encodings }: FreshSpec): RecordFileWriter => {
  const folders = new RecentFolders();
  let written = 0;
  const target = (name: string): string => {
    // A record's name holds nothing to be resolved, and joining paths costs as much as a third of a file.
    const path = `${tree}/${name}`;
    const folder = dirname(path);
    if (!folders.has(folder)) {
      makeLeafFolder(folder);
      folders.add(folder);
    }
    written += 1;
    return path;
  };
  const write = ([first = '', ...aliases]: readonly string[], bytes: Buffer): void => {
    const path = target(first);
    writeNew(path, bytes);
    for (const alias of aliases) linkOrCopy(path, target(alias));
  };
  return {
    put: (names, bytes) => {
      write(names, bytes);
      for (const encoding of encodings) {
        write(sidecarNames(names, encoding), compress(bytes, encoding));
      }
    },
    take: () => {
      const leaves = { written, staged: [] };
      written = 0;
      return leaves;
    },
  };
};

const sidecarNames = (names: readonly string[], encoding: Encoding): string[] =>
  names.map((name) => sidecarOf(name, encoding));

/** Makes a folder whose parent nearly always stands: one call instead of a walk from the root. */
const makeLeafFolder = (folder: string): void => {
  try {
    mkdirSync(folder);
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
  const stage = ([first = '', ...aliases]: readonly string[], bytes: Buffer): void => {
    const temporary = files.write(bytes);
    staged.push({ temporary, name: first, isAlias: false });
    for (const name of aliases) {
      const alias = files.next();
      staged.push({ temporary: alias, name, isAlias: linkOrCopy(temporary, alias) });
    }
  };
  const stand = (names: readonly string[], isSame: (path: string) => boolean): boolean =>
    compare &&
    names.every((name) => {
      const path = join(root, name);
      return own.has(dirname(path)) && isSame(path);
    });
  return {
    put: (names, bytes) => {
      if (!stand(names, (path) => holds(path, bytes))) stage(names, bytes);
      for (const encoding of encodings) {
        const sidecars = sidecarNames(names, encoding);
        if (stand(sidecars, (path) => holdsCompressed(path, encoding, bytes))) continue;
        stage(sidecars, compress(bytes, encoding));
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
