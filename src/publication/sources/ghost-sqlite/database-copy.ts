// A private copy of Ghost's SQLite file, kept for the next look: only pages that changed are written to it again, and
// the tables that these belonged to are known to have changed. A table is what its root page leads to, so one that has
// none of its old pages changed, under the same schema, is surely as it was. Nothing of the copy is left if the program
// is killed, where the system allows that.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import {
  canRemoveOpenFiles,
  makeScratchFolder,
  removeScratchFolder,
} from '../../../base/files/scratch-folder.ts';
import { loadDriver, type SqliteConnection } from '../../../base/sqlite/driver.ts';
import { asReadError, takeCommit } from './fetch-copy.ts';
import { createPageOwners, type PageOwners } from './page-owners.ts';

export type SourceCopy = {
  /** Brings the copy to the newest commit. What was read of it before has to be ended. Throws what takeCommit throws. */
  readonly refresh: () => Promise<SqliteConnection>;
  /** Of tables as they are in the copy: see SourceState. */
  readonly tableVersions: (tables: readonly string[]) => ReadonlyMap<string, string>;
  readonly close: () => Promise<void>;
};

/** A multiple of every size that a page may have. */
const CHUNK_BYTES = 1 << 20;
const HEADER_BYTES = 100;
/** Tables are read from end to end; the system keeps what is read again. */
const CACHE_KB = 4_000;

export const createSourceCopy = (path: string, triesMax: number): SourceCopy => {
  let copy: Copy | null = null;
  return {
    refresh: async () => {
      copy ??= openCopy(path);
      const { file, owners } = copy;
      copy.commits += 1;
      const changes = { file, owners, commit: copy.commits };
      await takeCommit(path, triesMax, (fresh) => syncTarget(fresh, changes));
      return connect(path, copy);
    },
    tableVersions: (tables) => copy?.owners.tableVersions(tables) ?? new Map(),
    close: async () => {
      const closing = copy;
      copy = null;
      closing?.connection.close();
      if (closing !== null) closeSync(closing.file);
      closing?.remove();
    },
  };
};

type Copy = {
  /** A descriptor. */
  readonly file: number;
  readonly connection: SqliteConnection;
  readonly owners: PageOwners;
  readonly remove: () => void;
  commits: number;
};

const openCopy = (path: string): Copy => {
  const folder = makeScratchFolder('source');
  const remove = (): void => removeScratchFolder(folder);
  try {
    const name = join(folder, 'ghost.db');
    const file = openSync(name, 'wx+', 0o600);
    const connection = new (loadDriver())(name, { readonly: true });
    connection.pragma(`cache_size = -${CACHE_KB}`);
    if (canRemoveOpenFiles) remove();
    return { file, connection, owners: createPageOwners(connection), remove, commits: 0 };
  } catch (cause) {
    remove();
    throw asReadError(path, cause);
  }
};

const connect = (path: string, { connection, owners }: Copy): SqliteConnection => {
  try {
    owners.checkSchema();
    return connection;
  } catch (cause) {
    throw asReadError(path, cause);
  }
};

type Changes = Pick<Copy, 'file' | 'owners'> & { readonly commit: number };

/** Writes what differs to the copy, with a tick for the event loop after each chunk. */
const syncTarget = async (path: string, { file, owners, commit }: Changes): Promise<void> => {
  const fresh = openSync(path, 'r');
  try {
    const [size, before] = [fstatSync(fresh).size, fstatSync(file).size];
    const [chunk, kept] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
    let pageBytes = CHUNK_BYTES;
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const [now, then] = [readAt(fresh, chunk, at), readAt(file, kept, at)];
      if (at === 0) {
        pageBytes = pageBytesOf(now);
        owners.setPages(pageBytes, Math.max(size, before));
        countCommit(now, commit);
      }
      if (!now.equals(then)) {
        for (const page of differing(now, then, pageBytes)) owners.change(at / pageBytes + page);
        writeSync(file, now, 0, now.length, at);
      }
      await tick();
    }
    for (let at = size; at < before; at += pageBytes) owners.change(Math.floor(at / pageBytes));
    ftruncateSync(file, size);
  } finally {
    closeSync(fresh);
  }
};

function* differing(now: Buffer, then: Buffer, pageBytes: number): Generator<number> {
  for (let page = 0; page * pageBytes < now.length; page += 1) {
    const [from, to] = [page * pageBytes, (page + 1) * pageBytes];
    if (!now.subarray(from, to).equals(then.subarray(from, to))) yield page;
  }
}

const readAt = (file: number, buffer: Buffer, at: number): Buffer => {
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, at + length);
    length += read;
    if (read === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
};

/** Section 1.3.2 of the file format. What it says of a file that is not SQLite's does not matter. */
const pageBytesOf = (header: Buffer): number => {
  const bytes = header.length < HEADER_BYTES ? 0 : header.readUInt16BE(16);
  if (bytes === 1) return 65_536;
  return bytes >= 512 && CHUNK_BYTES % bytes === 0 ? bytes : CHUNK_BYTES;
};

/**
 * Another program that wrote to the file would count its change in the first page: SQLite then drops the pages that it
 * keeps in memory.
 */
const countCommit = (header: Buffer, commit: number): void => {
  if (header.length < HEADER_BYTES) return;
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  header.writeUInt32BE(commit, 24);
  if (isCounted) header.writeUInt32BE(commit, 92);
};
