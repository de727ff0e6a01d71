// The packed tree as edge code reads it. What an isolate has read is kept by name for all of its requests; work under way
// belongs to one request, because a host may end that request, and whoever waited for its work would wait for ever.
// The invariant: the root is asked for again by each request.
import { blobFile, PACKED_ROOT_FILE } from '../../base/packed-names.ts';
import { NOT_PACKED_YET } from '../../queries/answer-address.ts';
import { type BlobName, type Root, TREE_FORMAT } from '../../queries/tree.ts';
import { createMissingBlob, type TreeStore } from '../../queries/tree-store.ts';
import { createEdgeFault } from './edge-fault.ts';

export type ReadFile = (
  file: string,
  headers: Readonly<Record<string, string>>,
) => Promise<Response | null>;

export type EdgeTree = TreeStore & {
  /** Names the root that was read last, by its bytes. */
  readonly rootKey: () => string;
};

export type EdgeMemory = {
  /** The tree for one request. */
  readonly open: (read: ReadFile) => EdgeTree;
};

type KeptRoot = { readonly etag: string; readonly key: string; readonly root: Root };
type KeptBlob = { readonly value: unknown; readonly bytes: number };

/**
 * As blobs are stored: decoded ones take up to twice as much. An isolate of Cloudflare has 128 MB, and an answer takes three
 * times its length while it is made.
 */
const BLOBS_BYTES_MAX = 16 * 1024 * 1024;

export const createEdgeMemory = (): EdgeMemory => {
  /** The one that was used last stands last. */
  const blobs = new Map<BlobName, KeptBlob>();
  let bytesKept = 0;
  let rootKept: KeptRoot | null = null;

  const keep = (name: BlobName, blob: KeptBlob): void => {
    if (blobs.has(name)) return;
    blobs.set(name, blob);
    bytesKept += blob.bytes;
    for (const [oldest, { bytes }] of blobs) {
      if (bytesKept <= BLOBS_BYTES_MAX) return;
      blobs.delete(oldest);
      bytesKept -= bytes;
    }
  };
  const findKept = (name: BlobName): KeptBlob | undefined => {
    const blob = blobs.get(name);
    if (blob === undefined) return undefined;
    blobs.delete(name);
    blobs.set(name, blob);
    return blob;
  };
  const readRoot = async (read: ReadFile): Promise<KeptRoot> => {
    const known = rootKept;
    const response = await read(
      PACKED_ROOT_FILE,
      known === null ? {} : { 'if-none-match': known.etag },
    );
    if (known !== null && response?.status === 304) return known;
    if (response === null) throw createEdgeFault(NOT_PACKED_YET);
    const bytes = await response.arrayBuffer();
    const root = parseRoot(bytes);
    rootKept = { etag: response.headers.get('etag') ?? '', key: await digestOf(bytes), root };
    return rootKept;
  };
  return {
    open: (read) => {
      const pending = new Map<BlobName, Promise<unknown>>();
      let current: Promise<KeptRoot> | null = null;
      let key = '';
      const readBlob = async <T>(name: BlobName, decode: (bytes: Uint8Array) => T): Promise<T> => {
        const response = await read(blobFile(name), {});
        if (response === null) throw createMissingBlob(name);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const value = decode(bytes);
        keep(name, { value, bytes: bytes.length });
        return value;
      };
      return {
        rootKey: () => key,
        root: async (isFresh) => {
          if (isFresh) pending.clear();
          if (current === null || isFresh) current = readRoot(read);
          const kept = await current;
          key = kept.key;
          return kept.root;
        },
        get: <T>(name: BlobName, decode: (bytes: Uint8Array) => T): Promise<T> => {
          const kept = findKept(name);
          if (kept !== undefined) return Promise.resolve(kept.value as T);
          const known = pending.get(name) ?? readBlob(name, decode);
          pending.set(name, known);
          return known as Promise<T>;
        },
        turn: () => Promise.resolve(),
      };
    },
  };
};

const parseRoot = (bytes: ArrayBuffer): Root => {
  try {
    const root = JSON.parse(new TextDecoder().decode(bytes)) as Root;
    if (root.format === TREE_FORMAT) return root;
  } catch {
    // Somebody may have put another file there.
  }
  throw createEdgeFault(NOT_PACKED_YET);
};

/** SHA-256 in base64url. */
export const digestOf = async (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
