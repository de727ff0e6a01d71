// Processor time of queries that the executor answers from a packed tree whose blobs it has read before: fifteen that
// put each of its ways to work, as the companion server answers them, with the hash that becomes the tag of the body.
import { createHash } from 'node:crypto';
import { answerList } from '../src/content/queries/answer.ts';
import type { TreeStore } from '../src/content/tree/tree-store.ts';
import { atMost, type Check, median } from './checks.ts';
import { openBuiltTree, readPosts } from './packed-tree.ts';
import { WIDE_TAG } from './publication.ts';

export type QueryResult = {
  readonly query: string;
  readonly records: number;
  readonly bytes: number;
  readonly processorMilliseconds: number;
};

type Post = { readonly id: string; readonly published_at: string };

const LIMIT = 15;
const TAG = 'tag:tag-3';
const PAGE = 400;
const FIELDS = 'limit=100&fields=slug,title';

const lastPage = (of: number, limit: number): number => Math.ceil(of / limit);

/** Raw queries: a plus sign would be a space. `of` is the number of posts, and `post` one from their middle. */
export const queriesOf = (of: number, post: Post): string[] => [
  'limit=15',
  'limit=15&include=authors,tags',
  `limit=15&page=${Math.min(PAGE, lastPage(of, LIMIT))}&include=authors,tags`,
  `limit=15&include=tags&filter=tag:${WIDE_TAG}`,
  `limit=15&filter=${TAG}`,
  `limit=15&filter=tag:${WIDE_TAG}%2B${TAG}`,
  `limit=3&filter=tag:[tag-3,tag-4]%2Bid:-${post.id}`,
  'limit=15&filter=author:author-7%2Bvisibility:public',
  'limit=15&order=title',
  `limit=15&filter=${TAG}&order=title`,
  'limit=15&order=updated_at',
  FIELDS,
  `${FIELDS}&page=${Math.min(3, lastPage(of, 100))}`,
  'limit=100&include=authors,tags',
  `limit=1&filter=published_at:<'${encodeURIComponent(post.published_at)}'`,
];

/** `built` is the folder of a publication whose tree is built. */
export const measureQueries = async (built: string): Promise<QueryResult[]> => {
  const { store, root } = openBuiltTree(built);
  const { total } = root.posts;
  const middle = `limit=1&page=${Math.ceil(total / 2)}&fields=id,published_at`;
  const [post] = await readPosts<Post>(store, middle);
  if (post === undefined) throw new Error('There are no posts to ask for.');
  const results: QueryResult[] = [];
  for (const query of queriesOf(total, post)) results.push(await measureQuery(store, query));
  return results;
};

const WARM_MS = 300;
const BATCHES = 5;
const BATCH_MS = 100;

const measureQuery = async (store: TreeStore, query: string): Promise<QueryResult> => {
  const { length: records } = await readPosts(store, query);
  if (records === 0) throw new Error(`No post answers ${query}: its time would say nothing.`);
  const answer = async (): Promise<number> => {
    const body = await answerList(store, 'posts', { rawQuery: query, nowMs: Date.now() });
    const hash = createHash('sha256');
    for (const piece of body) hash.update(piece);
    hash.digest();
    return body.reduce((sum, piece) => sum + piece.length, 0);
  };
  await measureBatch(answer, WARM_MS);
  const times: number[] = [];
  for (let at = 0; at < BATCHES; at += 1) times.push(await measureBatch(answer, BATCH_MS));
  return { query, records, bytes: await answer(), processorMilliseconds: median(times) };
};

/** Processor milliseconds of one answer, of as many as fit. */
const measureBatch = async (answer: () => Promise<number>, forMs: number): Promise<number> => {
  const used = process.cpuUsage();
  const started = performance.now();
  let answers = 0;
  for (; performance.now() - started < forMs; answers += 1) await answer();
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1000 / answers;
};

const MEDIAN_MAX_MS = 1;

export const checkQueries = (results: readonly QueryResult[], posts: number): Check => {
  const middle = median(results.map(({ processorMilliseconds }) => processorMilliseconds));
  const name = `processor ms of the middle of ${results.length} queries, ${posts} posts`;
  return atMost('time', name, [middle, MEDIAN_MAX_MS]);
};
