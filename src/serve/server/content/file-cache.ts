// Bodies of files, kept in memory within a bound in bytes, the least recently used dropped first. The invariant: what is
// answered is what the newest build left on the disk. Files of the tree are replaced whole, by rename, so the same inode,
// size and time mean the same bytes; while no build has begun or ended since the last look, there is no need to look.
import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { statKeyOf as statKeyAsWritten } from '../../../base/files/stat-key.ts';
import { entityTag } from '../../../content/paths/entity-tags.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';

export type FileBody = {
  readonly bytes: number;
  /** Strong: made of the bytes alone. */
  readonly etag: string;
  /** The whole body, or null when it is too large to be kept. */
  readonly body: Buffer | null;
};

export type OpenFile = FileBody & {
  /** Of a large file; whoever takes it closes it. Null when `body` is there. */
  readonly handle: FileHandle | null;
};

export type FileCache = {
  readonly read: (path: string) => Promise<OpenFile | null>;
  /** The same, though the tree may be another one than its version says: a build is placing files. */
  readonly readNow: (path: string) => Promise<OpenFile | null>;
};

type CacheOptions = {
  readonly bytesMax: number;
  readonly fileBytesMax: number;
  /** Another text once a build has begun or ended; undefined: the disk is asked each time. */
  readonly version?: (() => string) | undefined;
  /** What the manifest has of a large file. */
  readonly findWritten: FindWritten;
  /** Counts the bytes of a body while it is read. */
  readonly memory: Pick<ResponseBuffers, 'during'>;
};

type FindWritten = (
  path: string,
) => { readonly sha256: Buffer; readonly statKey: string } | undefined;

type Entry = FileBody & {
  readonly statKey: string;
  /** The state of the tree in which the disk was last asked. */
  version: string;
};

/** What an entry costs beside its body. */
const ENTRY_BYTES = 512;

const costOf = (entry: Entry): number => ENTRY_BYTES + (entry.body?.length ?? 0);

export const createFileCache = (options: CacheOptions): FileCache => {
  const { bytesMax, fileBytesMax, findWritten, memory } = options;
  const newestVersion = options.version ?? (() => '');
  const entries = new LRUCache<string, Entry>({ maxSize: bytesMax, sizeCalculation: costOf });
  const shareBody = createSharedWork<OpenFile | null>();
  const keep = (path: string, entry: Entry): void => {
    entries.set(path, entry);
  };
  const find = (path: string, statKey: string): Entry | null => {
    const entry = entries.get(path);
    return entry?.statKey === statKey ? entry : null;
  };
  const findFresh = (path: string, version: string): Entry | null => {
    const entry = entries.get(path);
    return entry?.version !== version || entry.body === null ? null : entry;
  };
  const read = async (path: string): Promise<OpenFile | null> => {
    const version = newestVersion();
    const fresh = version === '' ? null : findFresh(path, version);
    return fresh === null ? readNow(path) : { ...fresh, handle: null };
  };
  const readNow = async (path: string): Promise<OpenFile | null> => {
    const version = newestVersion();
    // Asking the disk takes microseconds; a thread of the pool would take longer to answer.
    const stats = statOrNull(path);
    if (stats === null || !stats.isFile()) {
      entries.delete(path);
      return null;
    }
    const statKey = statKeyOf(stats);
    const known = find(path, statKey);
    if (known !== null && known.body !== null) {
      known.version = version;
      return { ...known, handle: null };
    }
    const loading = { path, version, fileBytesMax, find, keep, findWritten };
    if (stats.size > fileBytesMax) return load(loading);
    const shared = await shareBody(`${statKey} ${version} ${path}`, () =>
      memory.during(stats.size, () => load(loading)),
    );
    if (shared === null || shared.handle === null) return shared;
    // A larger file took its place meanwhile, and a handle has one owner.
    await shared.handle.close();
    return readNow(path);
  };
  return { read, readNow };
};

const statKeyOf = (stats: Stats): string =>
  `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.dev}`;

type Load = {
  readonly path: string;
  readonly version: string;
  readonly fileBytesMax: number;
  readonly findWritten: FindWritten;
  readonly find: (path: string, statKey: string) => Entry | null;
  readonly keep: (path: string, entry: Entry) => void;
};

const load = async (input: Load): Promise<OpenFile | null> => {
  const { path, version, fileBytesMax, find, keep } = input;
  const handle = await openOrNull(path);
  if (handle === null) return null;
  let isHandedOut = false;
  try {
    // The file that was opened may be newer than the one that was asked about.
    const stats = await handle.stat();
    const statKey = statKeyOf(stats);
    if (stats.size <= fileBytesMax) {
      const body = await handle.readFile();
      const entry = { bytes: body.length, etag: etagOf(body), body, statKey, version };
      keep(path, entry);
      return { ...entry, handle: null };
    }
    const entry = find(path, statKey) ?? (await largeEntry(input, handle, statKey));
    keep(path, entry);
    isHandedOut = true;
    return { ...entry, handle };
  } finally {
    if (!isHandedOut) await handle.close();
  }
};

const statOrNull = (path: string): Stats | null => {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

/** A name that is too long for the disk is one that nothing has. */
const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '');

const openOrNull = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

/** A list that is as it was written has the hash that it was written with. */
const largeEntry = async (
  { path, version, findWritten }: Load,
  handle: FileHandle,
  statKey: string,
): Promise<Entry> => {
  const exact = await handle.stat({ bigint: true });
  const written = findWritten(path);
  const digest =
    written?.statKey === statKeyAsWritten(exact)
      ? written.sha256.toString('base64url')
      : await digestOf(handle);
  return { bytes: Number(exact.size), etag: entityTag(digest), body: null, statKey, version };
};

const digestOf = async (handle: FileHandle): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('base64url');
};

const etagOf = (body: Buffer): string =>
  entityTag(createHash('sha256').update(body).digest('base64url'));

type SharedWork<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/** Work that many ask for at the same time, done once. */
const createSharedWork = <T>(): SharedWork<T> => {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const result = work().finally(() => underWay.delete(key));
    underWay.set(key, result);
    return result;
  };
};
