// The packed tree as the companion server reads it (content/tree/tree-store.ts): its root as any other document, asked for
// again once a build has begun or ended, and its blobs from the disk, a few at a time. A blob with other bytes than its
// name says counts as missing, since what is kept of it would be given as long as the server runs.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../../content/tree/names.ts';
import { parseRoot } from '../../../content/tree/parse-root.ts';
import type { BlobName, Root } from '../../../content/tree/tree.ts';
import { createTreeStore, type TreeStore } from '../../../content/tree/tree-store.ts';
import { isNamed } from '../../../publish/packed/blobs.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';
import type { FileCache, OpenFile } from './file-cache.ts';

export type TreeSource = {
  readonly store: TreeStore;
  /** Null when there is no tree, or one of another format. */
  readonly findRoot: () => Promise<Root | null>;
  /** Tag of the file that a root was read from: another one has another. */
  readonly tagOf: (root: Root) => string;
};

type Options = {
  readonly folder: string;
  readonly cache: FileCache;
  readonly memory: Pick<ResponseBuffers, 'during'>;
  /** What is thrown where there is no root. */
  readonly noTree: () => Error;
};

const BLOBS_BYTES_MAX = 16 * 1024 * 1024;
/** Each is an open file. */
const READS_MAX = 16;

export const createTreeSource = ({ folder, cache, memory, noTree }: Options): TreeSource => {
  const path = join(folder, PACKED_ROOT_FILE);
  const inLane = limitConcurrency(READS_MAX);
  const tags = new WeakMap<Root, string>();
  let parsed: { readonly etag: string; readonly root: Root | null } | null = null;
  const findRoot = async (isFresh: boolean): Promise<Root | null> => {
    const file = isFresh ? await cache.readNow(path) : await cache.read(path);
    if (file === null) return null;
    try {
      if (parsed?.etag !== file.etag) {
        parsed = { etag: file.etag, root: parseRoot(await readText(file)) };
      }
      if (parsed.root !== null) tags.set(parsed.root, parsed.etag);
      return parsed.root;
    } finally {
      await file.handle?.close();
    }
  };
  const readBlob = (name: BlobName): Promise<Uint8Array | null> =>
    inLane(async () => {
      const file = join(folder, blobFile(name));
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile() !== true) return null;
      const bytes = await memory.during(stat.size, () => readOrNull(file));
      return bytes !== null && isNamed(name, bytes) ? bytes : null;
    });
  return {
    findRoot: () => findRoot(false),
    tagOf: (root) => tags.get(root) ?? '',
    store: createTreeStore({
      readRoot: async (isFresh) => {
        const root = await findRoot(isFresh);
        if (root === null) throw noTree();
        return root;
      },
      readBlob,
      bytesMax: BLOBS_BYTES_MAX,
      tick,
    }),
  };
};

const readText = async ({ body, handle }: OpenFile): Promise<string> =>
  String(body ?? (await handle?.readFile()));

/** A build may remove it meanwhile. */
const readOrNull = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
