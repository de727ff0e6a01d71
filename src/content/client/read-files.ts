// The packed tree, and documents that are files, read by `fetch` from any host of files. Blobs are named after their
// bytes, so a copy of any age in the browser's cache is good; the root is asked for anew each time.
import { limitConcurrency } from '../../base/limit-concurrency.ts';
import { decodeText } from '../tree/decode-chunk.ts';
import { blobFile, PACKED_ROOT_FILE } from '../tree/names.ts';
import { parseRoot } from '../tree/parse-root.ts';
import { createTreeStore, type TreeStore } from '../tree/tree-store.ts';
import type { Fetch, Options } from './types.ts';

/** Requests at once; hosts of files may have few places for connections. */
const REQUESTS_MAX = 16;
const BYTES_MAX = 2 ** 25;

export type Files = {
  /** Its URL. */
  readonly folder: string;
  readonly store: TreeStore;
  readonly read: (file: string, cache?: Cache) => Promise<Uint8Array | null>;
};

/** `folder` is the URL of `content`, without a slash at its end. Its functions reject with the code CONTENT_UNREADABLE. */
export const createFiles = (folder: string, options: Options): Files => {
  // Called without `this`, as browsers demand.
  const fetchFile: Fetch = options.fetch ?? ((url, init) => fetch(url, init as RequestInit));
  const inLane = limitConcurrency(REQUESTS_MAX);
  const read: Files['read'] = (file, cache = 'no-cache') =>
    inLane(async () => {
      const url = `${folder}/${file}`;
      const query = options.contentKey === undefined ? '' : `?key=${options.contentKey}`;
      try {
        const response = await fetchFile(`${url}${query}`, { cache });
        if (isAbsent(response)) return null;
        if (response.ok) return new Uint8Array(await response.arrayBuffer());
        throw unreadable(`${url} has status ${response.status}: ${CHECK}`);
      } catch (cause) {
        throw asUnreadable(cause, `${url} cannot be fetched: ${CHECK}`);
      }
    });
  return {
    folder,
    read,
    store: createTreeStore({
      bytesMax: options.bytesMax ?? BYTES_MAX,
      readRoot: async (isFresh) => {
        const bytes = await read(PACKED_ROOT_FILE, isFresh ? 'reload' : undefined);
        if (!bytes) throw unreadable(`${folder}/${PACKED_ROOT_FILE} is not served: ${CHECK}`);
        const root = parseRoot(decodeText(bytes));
        if (root) return root;
        throw unreadable(`${folder}/${PACKED_ROOT_FILE} is not what this client reads.`);
      },
      readBlob: async (name) => {
        const file = blobFile(name);
        // A cache may know that there was none.
        return (await read(file, 'force-cache')) ?? read(file, 'reload');
      },
      tick: () => new Promise((resolve) => setTimeout(resolve)),
    }),
  };
};

const CHECK = 'check address, content key, network and CORS.';
const CODE = 'CONTENT_UNREADABLE';

const unreadable = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: CODE });

/** What it is, unless it has the code already. */
export const asUnreadable = (cause: unknown, sentence: string): unknown =>
  (cause as { code?: unknown } | null)?.code === CODE ? cause : unreadable(sentence, cause);

type Cache = Parameters<Fetch>[1]['cache'];
type Answer = Awaited<ReturnType<Fetch>>;

/** Buckets that may not be listed answer 403; some hosts answer an absent file with an HTML page and 200. */
const isAbsent = ({ status, headers }: Answer): boolean =>
  /^(40[34]|410|200 text.html)/.test(`${status} ${headers.get('content-type')}`);
