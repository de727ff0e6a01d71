// Every record of a resource, read out of the packed tree as it is asked for, with all related data and in the order of its
// list: lists of files hold only the first `lists.max`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import type { Resource } from '../../content/paths/endpoints.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../content/tree/names.ts';
import { parseRoot } from '../../content/tree/parse-root.ts';
import type {
  ChunkHead,
  Collection,
  Directory,
  IndexDirectory,
  Root,
  TermKeys,
  Terms,
  Titles,
} from '../../content/tree/tree.ts';

export type TreeRecord = Readonly<Record<string, unknown>>;

/** Throws OUTPUT_DIFFERS when a file of the tree cannot be read. */
export const readTreeRecords = (folder: string, resource: Resource): Iterable<TreeRecord> => {
  const tree = openTree(folder);
  if (resource === 'tags' || resource === 'authors') return readTerms(tree, tree.root[resource]);
  return resource === 'posts' ? readPosts(tree) : readPages(tree);
};

type Tree = { readonly root: Root; readonly text: (blob: string) => string };

const openTree = (folder: string): Tree => {
  const text = (file: string): string => {
    const path = join(folder, file);
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      throw new PrepressError('OUTPUT_DIFFERS', `The file ${path} cannot be read.`, { cause });
    }
  };
  const root = parseRoot(text(PACKED_ROOT_FILE));
  if (root === null) {
    throw new PrepressError(
      'OUTPUT_DIFFERS',
      `${join(folder, PACKED_ROOT_FILE)} is not of this version.`,
    );
  }
  return { root, text: (blob) => text(blobFile(blob)) };
};

/** Blobs hold what the build wrote, and are many: they are not checked. */
const json = <T>({ text }: Tree, blob: string): T => JSON.parse(text(blob)) as T;

/** The newest first. */
const readPosts = (tree: Tree): Iterable<TreeRecord> => readLeaves(tree, tree.root.posts);

/** By title. */
function* readPages(tree: Tree): Generator<TreeRecord> {
  const { pages } = tree.root;
  if (pages.titles === null) return;
  const byId = new Map([...readLeaves(tree, pages)].map((page) => [page.id, page]));
  for (const [blob] of json<IndexDirectory>(tree, pages.titles)) {
    for (const id of json<Titles>(tree, blob).id) {
      const page = byId.get(id);
      if (page !== undefined) yield page;
    }
  }
}

function* readLeaves(tree: Tree, { leaves }: Collection): Generator<TreeRecord> {
  const tags = readEmbedded(tree, tree.root.tags);
  const authors = readEmbedded(tree, tree.root.authors);
  for (const [directory] of leaves) {
    for (const [leaf] of json<Directory>(tree, directory)) {
      const [head = '', ...lines] = tree.text(leaf).split('\n');
      const { t = [], a = [] } = JSON.parse(head) as ChunkHead;
      for (const [at, line] of lines.entries()) {
        const own = {
          authors: (a[at] ?? []).map((id) => authors.get(id)).filter(isFound),
          tags: (t[at] ?? []).map((id) => tags.get(id)).filter(isFound),
        };
        const [tag] = own.tags;
        yield {
          ...(JSON.parse(line) as TreeRecord),
          ...own,
          primary_author: own.authors[0] ?? null,
          primary_tag: tag?.visibility === 'public' ? tag : null,
        };
      }
    }
  }
}

const isFound = (record: TreeRecord | undefined): record is TreeRecord => record !== undefined;

const ID_DIGITS = 24;

/** What stands inside posts, by id. */
const readEmbedded = (tree: Tree, { embedded }: Terms): ReadonlyMap<string, TreeRecord> =>
  new Map(
    embedded.flatMap(([blob]) =>
      tree
        .text(blob)
        .split('\n')
        .map((line): [string, TreeRecord] => [
          line.slice(0, ID_DIGITS),
          JSON.parse(line.slice(ID_DIGITS)) as TreeRecord,
        ]),
    ),
  );

/** By name, with the number of their posts. */
function* readTerms(tree: Tree, { keys, counts, records }: Terms): Generator<TreeRecord> {
  const { id } = json<TermKeys>(tree, keys);
  const posts = json<number[]>(tree, counts);
  const lines = records.flatMap(([blob]) => tree.text(blob).split('\n'));
  for (const at of id.keys()) {
    const record = JSON.parse(lines[at] ?? '{}') as TreeRecord;
    yield { ...record, count: { posts: posts[at] } };
  }
}
