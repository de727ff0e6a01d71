// Every record of a resource, read out of the packed tree as it is asked for, with all related data and in the order of its
// list: lists of files hold only the first `lists.max`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import type { Resource } from '../../content/paths/endpoints.ts';
import { decodeEmbedded } from '../../content/queries/write-records.ts';
import { decodeChunk, decodeJson, decodeLines } from '../../content/tree/decode-chunk.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../content/tree/names.ts';
import { parseRoot } from '../../content/tree/parse-root.ts';
import type {
  Collection,
  Directory,
  IndexDirectory,
  Root,
  Terms,
  Titles,
} from '../../content/tree/tree.ts';

export type TreeRecord = Readonly<Record<string, unknown>>;

/** Throws OUTPUT_DIFFERS when a file of the tree cannot be read. */
export const readTreeRecords = (folder: string, resource: Resource): Iterable<TreeRecord> => {
  const tree = openTree(folder);
  if (resource === 'tags' || resource === 'authors') return readTerms(tree, tree.root[resource]);
  // Posts stand in the order of their list: the newest first.
  return resource === 'posts' ? readLeaves(tree, tree.root.posts) : readPages(tree);
};

type Tree = {
  readonly root: Root;
  readonly get: <T>(blob: string, decode: (bytes: Uint8Array) => T) => T;
};

const openTree = (folder: string): Tree => {
  const read = (file: string): Buffer => {
    const path = join(folder, file);
    try {
      return readFileSync(path);
    } catch (cause) {
      throw new PrepressError('OUTPUT_DIFFERS', `The file ${path} cannot be read.`, { cause });
    }
  };
  const root = parseRoot(String(read(PACKED_ROOT_FILE)));
  if (root === null) {
    throw new PrepressError(
      'OUTPUT_DIFFERS',
      `${join(folder, PACKED_ROOT_FILE)} is not of this version.`,
    );
  }
  return { root, get: (blob, decode) => decode(read(blobFile(blob))) };
};

/** By title. */
function* readPages(tree: Tree): Generator<TreeRecord> {
  const { pages } = tree.root;
  if (pages.titles === null) return;
  const byId = new Map([...readLeaves(tree, pages)].map((page) => [page.id, page]));
  for (const [blob] of tree.get<IndexDirectory>(pages.titles, decodeJson)) {
    for (const id of tree.get<Titles>(blob, decodeJson).id) {
      const page = byId.get(id);
      if (page !== undefined) yield page;
    }
  }
}

function* readLeaves(tree: Tree, { leaves }: Collection): Generator<TreeRecord> {
  const tags = readEmbedded(tree, tree.root.tags);
  const authors = readEmbedded(tree, tree.root.authors);
  for (const [directory] of leaves) {
    for (const [leaf] of tree.get<Directory>(directory, decodeJson)) {
      const { head, lines } = tree.get(leaf, decodeChunk);
      for (const [at, line] of lines.entries()) {
        const own = {
          authors: (head.a?.[at] ?? []).flatMap<TreeRecord>((id) => authors.get(id) ?? []),
          tags: (head.t?.[at] ?? []).flatMap<TreeRecord>((id) => tags.get(id) ?? []),
        };
        const [tag] = own.tags;
        yield {
          ...decodeJson<TreeRecord>(line),
          ...own,
          primary_author: own.authors[0] ?? null,
          primary_tag: tag?.visibility === 'public' ? tag : null,
        };
      }
    }
  }
}

/** What stands inside posts, by id. */
const readEmbedded = ({ get }: Tree, { embedded }: Terms): ReadonlyMap<string, TreeRecord> =>
  new Map(
    embedded
      .flatMap(([blob]) => Object.entries(get(blob, decodeEmbedded)))
      .map(([id, json]) => [id, decodeJson<TreeRecord>(json as Uint8Array)]),
  );

/** By name, with the number of their posts. */
function* readTerms({ get }: Tree, { counts, records }: Terms): Generator<TreeRecord> {
  const posts = get<number[]>(counts, decodeJson);
  const lines = records.flatMap(([blob]) => get(blob, decodeLines));
  for (const [at, line] of lines.entries()) {
    yield { ...decodeJson<TreeRecord>(line), count: { posts: posts[at] } };
  }
}
