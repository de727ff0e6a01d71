// Blobs of the packed tree as the executor asks for them: decoded once, kept by name up to a number of bytes, and read
// once for all who wait for the same one. A name stands for its bytes, so what is kept is never out of date. Runtime-
// neutral, and written so that the oldest of the edge runtimes can run it.
import type { BlobName, Root } from './tree.ts';

export type TreeStore = {
  /** `isFresh`: read now, because blobs of the root that was handed out are gone. */
  readonly root: (isFresh: boolean) => Promise<Root>;
  /** Rejects with a MissingBlob when there is none of that name. Each name is decoded in one way only. */
  readonly get: <T>(name: BlobName, decode: (bytes: Uint8Array) => T) => Promise<T>;
  /** Resolves in the next tick of the event loop: other work goes on between the steps of long work. */
  readonly tick: () => Promise<void>;
};

export type TreeSource = {
  readonly readRoot: (isFresh: boolean) => Promise<Root>;
  readonly readBlob: (name: BlobName) => Promise<Uint8Array | null>;
  /** Blobs are kept while they have no more bytes than this together, as they are stored. */
  readonly bytesMax: number;
  /** Absent where nothing else waits. */
  readonly tick?: () => Promise<void>;
};

export type MissingBlob = Error & { readonly missingBlob: BlobName };

export const isMissingBlob = (thrown: unknown): thrown is MissingBlob =>
  thrown instanceof Error && (thrown as MissingBlob).missingBlob !== undefined;

/**
 * Decoded blobs by name, up to a number of bytes: those that nobody used for longest go first. The oldest runtimes cannot run
 * lru-cache, which bounds the other caches.
 */
export type BlobMemory = {
  readonly recall: (name: BlobName) => KeptBlob | undefined;
  readonly keep: (name: BlobName, value: unknown, bytes: number) => void;
};

type KeptBlob = { readonly value: unknown; readonly bytes: number };

export const createBlobMemory = (bytesMax: number): BlobMemory => {
  /** In the order of their last use: a name is no number, so objects keep it. */
  const kept: Record<BlobName, KeptBlob> = {};
  let total = 0;
  const forget = (name: BlobName): KeptBlob | undefined => {
    const blob = kept[name];
    if (blob !== undefined) {
      delete kept[name];
      total -= blob.bytes;
    }
    return blob;
  };
  const keep = (name: BlobName, value: unknown, bytes: number): void => {
    forget(name);
    kept[name] = { value, bytes };
    total += bytes;
    if (total <= bytesMax) return;
    Object.keys(kept).forEach((oldest) => {
      if (total > bytesMax) forget(oldest);
    });
  };
  return {
    recall: (name) => {
      const blob = forget(name);
      if (blob !== undefined) keep(name, blob.value, blob.bytes);
      return blob;
    },
    keep,
  };
};

export const createTreeStore = (source: TreeSource): TreeStore =>
  openTreeStore(source, createBlobMemory(source.bytesMax));

/** What it has read is kept in a memory that others may share; what it is reading is its own. */
export const openTreeStore = (
  source: Omit<TreeSource, 'bytesMax'>,
  memory: BlobMemory,
): TreeStore => {
  const pending: Record<BlobName, Promise<unknown>> = {};
  const read = (name: BlobName, decode: (bytes: Uint8Array) => unknown): Promise<unknown> => {
    const value = source.readBlob(name).then((bytes) => {
      if (bytes === null) throw createMissingBlob(name);
      const decoded = decode(bytes);
      memory.keep(name, decoded, bytes.length);
      return decoded;
    });
    const end = (): void => {
      delete pending[name];
    };
    pending[name] = value;
    value.then(end, end);
    return value;
  };
  return {
    root: source.readRoot,
    tick: source.tick || (() => Promise.resolve()),
    get: <T>(name: BlobName, decode: (bytes: Uint8Array) => T): Promise<T> => {
      const known = memory.recall(name);
      if (known !== undefined) return Promise.resolve(known.value as T);
      return (pending[name] || read(name, decode)) as Promise<T>;
    },
  };
};

const createMissingBlob = (name: BlobName): MissingBlob =>
  Object.assign(new Error(`The packed tree has no blob ${name}.`), { missingBlob: name });
