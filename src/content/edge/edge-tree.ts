// The packed tree as edge code reads it. What an isolate has read is kept by name for all of its requests; work under way
// belongs to one request, because a host may end that request, and whoever waited for its work would wait for ever.
// The invariant: the root is asked for again by each request.

import { NOT_PACKED_YET } from '../paths/problems.ts';
import { decodeJson } from '../tree/decode-chunk.ts';
import { blobFile, PACKED_ROOT_FILE } from '../tree/names.ts';
import type { Root } from '../tree/tree.ts';
import { createBlobMemory, openTreeStore, type TreeStore } from '../tree/tree-store.ts';

export type ReadFile = (
  file: string,
  headers: Readonly<Record<string, string>>,
) => Promise<Response | null>;

export type EdgeTree = TreeStore & {
  /** Names the root that was read last, by its bytes. */
  readonly rootKey: () => string;
};

export type EdgeMemory = {
  readonly open: (read: ReadFile) => EdgeTree;
};

type KeptRoot = { readonly etag: string; readonly key: string; readonly root: Root };

/**
 * As blobs are stored: decoded ones take up to twice as much. An isolate of Cloudflare has 128 MB, and an answer takes three
 * times its length while it is made.
 */
const BLOBS_BYTES_MAX = 16 * 1024 * 1024;

export const createEdgeMemory = (): EdgeMemory => {
  const blobs = createBlobMemory(BLOBS_BYTES_MAX);
  let rootKept: KeptRoot | null = null;
  const readRoot = async (read: ReadFile): Promise<KeptRoot> => {
    const known = rootKept;
    const response = await read(
      PACKED_ROOT_FILE,
      known === null ? {} : { 'if-none-match': known.etag },
    );
    if (known !== null && response?.status === 304) return known;
    if (response === null) throw Object.assign(new Error(), NOT_PACKED_YET);
    const bytes = await response.arrayBuffer();
    const root = decodeJson<Root>(new Uint8Array(bytes));
    rootKept = { etag: response.headers.get('etag') ?? '', key: await digestOf(bytes), root };
    return rootKept;
  };
  return {
    open: (read) => {
      let current: Promise<KeptRoot> | null = null;
      let key = '';
      const store = openTreeStore(
        {
          readRoot: async (isFresh) => {
            if (current === null || isFresh) current = readRoot(read);
            const kept = await current;
            key = kept.key;
            return kept.root;
          },
          readBlob: async (name) => {
            const response = await read(blobFile(name), {});
            return response && new Uint8Array(await response.arrayBuffer());
          },
        },
        blobs,
      );
      return { ...store, rootKey: () => key };
    },
  };
};

/** SHA-256 in base64url, with its last sign, which says nothing. */
export const digestOf = async (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
