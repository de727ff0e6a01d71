// The packed tree of a publication that was built, as the companion server reads it: blobs from files, 32 MB of them
// kept.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerList } from '../src/content/queries/answer.ts';
import { blobFile, PACKED_ROOT_FILE } from '../src/content/tree/names.ts';
import type { Root } from '../src/content/tree/tree.ts';
import { createTreeStore, type TreeStore } from '../src/content/tree/tree-store.ts';

const BLOBS_BYTES_MAX = 32 * 1024 * 1024;

/** `built` is the folder of the publication. */
export const openBuiltTree = (
  built: string,
): { readonly store: TreeStore; readonly root: Root } => {
  const content = join(built, 'output/content');
  const root = JSON.parse(readFileSync(join(content, PACKED_ROOT_FILE), 'utf8')) as Root;
  const store = createTreeStore({
    readRoot: async () => root,
    readBlob: (name) => readFile(join(content, blobFile(name))),
    bytesMax: BLOBS_BYTES_MAX,
  });
  return { store, root };
};

/** The posts of one page of a list. */
export const readPosts = async <Post>(store: TreeStore, rawQuery: string): Promise<Post[]> => {
  const body = await answerList(store, 'posts', { rawQuery, nowMs: Date.now() });
  const { posts } = JSON.parse(Buffer.concat(body).toString('utf8')) as { posts: Post[] };
  return posts;
};
