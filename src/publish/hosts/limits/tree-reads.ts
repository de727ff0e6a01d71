// How many files of the packed tree one answer reads, for hosts that limit the requests of a worker. Nothing is kept in
// the worker yet, and the answer is as long as `lists.max` allows.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJson } from '../../../content/tree/decode-chunk.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../../content/tree/names.ts';
import { parseRoot } from '../../../content/tree/parse-root.ts';
import type { BlobName, Directory, Root } from '../../../content/tree/tree.ts';
import type { HostSite } from '../host.ts';

export type TreeReads = {
  /** The setting `lists.max` of the build. */
  readonly max: number;
  /** A list of the newest posts with their tags and authors. */
  readonly newest: number;
  /** A filter that all columns are read for, and whose records stand far from each other. */
  readonly most: number;
  /** The `lists.max` with which no answer reads more than a number of files; below 1 there is none. */
  readonly maxWithin: (files: number) => number;
};

/** Null while there is no tree. */
export const findTreeReads = ({ output, basePath }: Pick<HostSite, 'output' | 'basePath'>) => {
  const content = join(output, basePath, 'content');
  const rootFile = join(content, PACKED_ROOT_FILE);
  if (!existsSync(rootFile)) return null;
  const root = parseRoot(readFileSync(rootFile, 'utf8'));
  return root === null ? null : readsOf(root, openBlobs(content));
};

const openBlobs =
  (content: string) =>
  (name: BlobName): Directory =>
    decodeJson(readFileSync(join(content, blobFile(name))));

/** The root itself, and the two requests to the host's cache. */
const ALWAYS = 3;
const COLUMN_BLOBS = 3;

const readsOf = (root: Root, directoryOf: (name: BlobName) => Directory): TreeReads => {
  const { max, posts, tags, authors } = root;
  const included = tags.embedded.length + authors.embedded.length;
  const shared = ALWAYS + included;
  // Keys of tags and authors are looked through by filters.
  const columns = posts.columns.length * COLUMN_BLOBS + 2;
  const scattered = shared + columns + posts.leaves.length;
  return {
    max,
    newest: shared + newestReads(root, directoryOf),
    most: scattered + Math.min(max, posts.total),
    maxWithin: (files) => files - scattered,
  };
};

/** Directories, and the leaves that they name, until the list is full. */
const newestReads = ({ max, posts }: Root, directoryOf: (name: BlobName) => Directory): number => {
  let reads = 0;
  let records = 0;
  for (const [name] of posts.leaves) {
    if (records >= max) break;
    reads += 1;
    for (const [, inLeaf] of directoryOf(name)) {
      if (records >= max) break;
      reads += 1;
      records += inLeaf;
    }
  }
  return reads;
};
