// Blobs of the packed tree as the executor asks for them: decoded once, kept by name up to a number of bytes, and read
// once for all who wait for the same one. A name stands for its bytes, so what is kept is never out of date. Runtime-
// neutral, and written so that the oldest of the edge runtimes can run it.
import type { BlobName, Root } from './tree.ts';

export type TreeStore = {
  /** `isFresh`: read now, because blobs of the root that was handed out are gone. */
  readonly root: (isFresh: boolean) => Promise<Root>;
  /** Rejects with a MissingBlob when there is none of that name. Each name is decoded in one way only. */
  readonly get: <T>(name: BlobName, decode: (bytes: Uint8Array) => T) => Promise<T>;
  /** Lets other work of the host go on; between the steps of long work. */
  readonly turn: () => Promise<void>;
};

export type TreeSource = {
  readonly readRoot: (isFresh: boolean) => Promise<Root>;
  /** Null when there is none of that name. */
  readonly readBlob: (name: BlobName) => Promise<Uint8Array | null>;
  /** Blobs are kept while they have no more bytes than this together, as they are stored. */
  readonly bytesMax: number;
  /** Absent where nothing else waits. */
  readonly turn?: () => Promise<void>;
};

export type MissingBlob = Error & { readonly missingBlob: BlobName };

export const isMissingBlob = (thrown: unknown): thrown is MissingBlob =>
  thrown instanceof Error && (thrown as MissingBlob).missingBlob !== undefined;

/** Blobs stand in a ring in the order of their last use; its head is none. */
type Kept = {
  readonly name: BlobName;
  readonly value: Promise<unknown>;
  /** 0 while it is read. */
  bytes: number;
  older: Kept;
  newer: Kept;
};

export const createTreeStore = (source: TreeSource): TreeStore => {
  const kept: Record<BlobName, Kept | undefined> = Object.create(null);
  const head = createHead();
  let total = 0;
  const forget = (blob: Kept): void => {
    if (kept[blob.name] !== blob) return;
    delete kept[blob.name];
    unlink(blob);
    total -= blob.bytes;
  };
  const shrink = (): void => {
    let blob = head.newer;
    while (total > source.bytesMax && blob !== head) {
      const next = blob.newer;
      if (blob.bytes > 0) forget(blob);
      blob = next;
    }
  };
  const read = <T>(name: BlobName, decode: (bytes: Uint8Array) => T): Promise<T> => {
    const value = source.readBlob(name).then((bytes) => {
      if (bytes === null) throw createMissingBlob(name);
      blob.bytes = bytes.length;
      total += bytes.length;
      shrink();
      return decode(bytes);
    });
    const blob: Kept = { name, value, bytes: 0, older: head, newer: head };
    kept[name] = blob;
    linkNewest(head, blob);
    value.catch(() => {
      forget(blob);
    });
    return value;
  };
  return {
    root: source.readRoot,
    turn: source.turn || noTurn,
    get: <T>(name: BlobName, decode: (bytes: Uint8Array) => T): Promise<T> => {
      const known = kept[name];
      if (known === undefined) return read(name, decode);
      unlink(known);
      linkNewest(head, known);
      return known.value as Promise<T>;
    },
  };
};

const noTurn = (): Promise<void> => Promise.resolve();

const createHead = (): Kept => {
  const head = { name: '', value: Promise.resolve(null), bytes: 0 } as unknown as Kept;
  head.older = head;
  head.newer = head;
  return head;
};

const unlink = (blob: Kept): void => {
  blob.older.newer = blob.newer;
  blob.newer.older = blob.older;
};

const linkNewest = (head: Kept, blob: Kept): void => {
  blob.newer = head;
  blob.older = head.older;
  head.older.newer = blob;
  head.older = blob;
};

export const createMissingBlob = (name: BlobName): MissingBlob =>
  Object.assign(new Error(`The packed tree has no blob ${name}.`), { missingBlob: name });
