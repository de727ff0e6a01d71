// What search in the browser reads (decisions, Queries): a document of each searched resource, which the executor cuts
// out of the packed tree. Records whose cards an earlier tree had are taken from its document: to cut 10,000 of them
// takes four fifths of a publish.
import { SEARCHED_MAX } from '../../../base/limits.ts';
import { SEARCH_SCHEMAS } from '../../../content/contract/search-index.ts';
import type { SearchedResource } from '../../../content/paths/files.ts';
import { openList } from '../../../content/queries/answer.ts';
import { type ListQuery, parseListQuery } from '../../../content/queries/list-query.ts';
import type { Tree } from '../../../content/queries/source.ts';
import { decodeJson } from '../../../content/tree/decode-chunk.ts';
import type { Directory, Root } from '../../../content/tree/tree.ts';

/** The document of posts of an earlier tree. */
export type EarlierPosts = { readonly root: Root; readonly document: Buffer };

type Options = {
  readonly earlier?: EarlierPosts | null;
  /** Records at most; others only in tests. */
  readonly max?: number;
};

/** Records that are cut at once. */
const PART = 1_000;
const COMMA = Buffer.from(',');
const ENDING = Buffer.from(']}');

export const searchDocument = async (
  tree: Tree,
  resource: SearchedResource,
  { earlier = null, max = SEARCHED_MAX }: Options = {},
): Promise<Uint8Array[]> => {
  const list = await openList(tree, resource, queryOf(resource, max));
  const pieces: Uint8Array[] = [openingOf(resource)];
  let at = 0;
  const cutUpTo = async (end: number): Promise<void> => {
    for (; at < end; at = Math.min(at + PART, end)) {
      pieces.push(...(await list.write(at, Math.min(at + PART, end))));
    }
  };
  const runs = earlier === null || resource !== 'posts' ? [] : await findRuns(tree, earlier, max);
  for (const { from, to, bytes } of runs) {
    await cutUpTo(from);
    if (from > 0) pieces.push(COMMA);
    pieces.push(bytes);
    at = to;
  }
  await cutUpTo(list.records);
  pieces.push(ENDING);
  return pieces;
};

const queryOf = (resource: SearchedResource, max: number): ListQuery => {
  const fields = Object.keys(SEARCH_SCHEMAS[resource].shape).join(',');
  const filter = resource === 'tags' ? '&filter=visibility:public' : '';
  return parseListQuery(resource, `fields=${fields}${filter}`, { max, nowMs: 0 });
};

const openingOf = (resource: SearchedResource): Buffer => Buffer.from(`{"${resource}":[`);

/** Records that stand in the earlier document already: their places in this one, and their bytes. */
type Run = { readonly from: number; readonly to: number; readonly bytes: Buffer };

/** The newest and the oldest records, as far as both trees have the same cards. */
const findRuns = async (tree: Tree, earlier: EarlierPosts, max: number): Promise<Run[]> => {
  const [before, now] = await Promise.all([
    readCards(tree, earlier.root),
    readCards(tree, tree.root),
  ]);
  const newer = countSame(before, now);
  const older = countSame(before.slice(newer.cards).reverse(), now.slice(newer.cards).reverse());
  const { total } = tree.root.posts;
  const moved = total - earlier.root.posts.total;
  return [
    { from: 0, to: newer.records, moved: 0 },
    { from: total - older.records, to: total, moved },
  ].flatMap(({ from, moved, ...run }) => {
    const to = Math.min(run.to, max, max + moved);
    if (from >= to) return [];
    const bytes = cutRecords(earlier, { from: from - moved, to: to - moved, max });
    return [{ from, to, bytes }];
  });
};

const readCards = async ({ store }: Tree, { posts }: Root): Promise<Directory> => {
  const read = posts.cards.map(([name]) => store.get<Directory>(name, decodeJson));
  return (await Promise.all(read)).flat();
};

/** How many cards, and records of them, both begin with. */
const countSame = (before: Directory, now: Directory) => {
  let cards = 0;
  let records = 0;
  while (cards < now.length && now[cards]?.[0] === before[cards]?.[0]) {
    records += now[cards]?.[1] ?? 0;
    cards += 1;
  }
  return { cards, records };
};

/** Between two records alone: within a text each quotation mark has a backslash before it, and no record has another. */
const BETWEEN = Buffer.from('},{"');

const cutRecords = (
  { root, document }: EarlierPosts,
  { from, to, max }: { readonly from: number; readonly to: number; readonly max: number },
): Buffer => {
  const records = Math.min(root.posts.total, max);
  /** The record's first byte, counted from the nearer end. */
  const startOf = (place: number): number => {
    let at = openingOf('posts').length;
    if (place < records / 2) {
      for (let passed = 0; passed < place; passed += 1) at = document.indexOf(BETWEEN, at) + 2;
      return at;
    }
    at = document.length - ENDING.length + 1;
    for (let passed = records; passed > place; passed -= 1) {
      at = document.lastIndexOf(BETWEEN, at - BETWEEN.length) + 2;
    }
    return at;
  };
  return document.subarray(startOf(from), startOf(to) - COMMA.length);
};
