// One state of a site: the skeleton, and bodies that were read by their ids until neither changed any more between two
// readings of the skeleton. What is handed out was all there at one time.
import { PrepressError } from '../../../base/errors.ts';
import { rowHashOf } from '../row-hashes.ts';
import type { RawRow, RowBatch, RowHash, RowHashBatch, SourceState, Wanted } from '../source.ts';
import { type Bodies, openBodies } from './bodies.ts';
import type { ContentClient } from './content-client.ts';
import { metaRow, postRow } from './record-rows.ts';
import { changesTooFast, PAGE_RECORDS, readPosts } from './responses.ts';
import { type PostSkeleton, readSkeleton, type Skeleton } from './skeleton.ts';

type StateInput = {
  readonly client: ContentClient;
  /** Without a trailing slash. */
  readonly siteUrl: string;
  readonly version: string;
};

const ROUNDS = 6;
const POST_TABLES: ReadonlySet<string> = new Set(['posts', 'posts_meta']);

export const openState = async ({ client, siteUrl, version }: StateInput): Promise<SourceState> => {
  let skeleton = await readSettled(client, siteUrl);
  const bodies = await openBodies();

  /** Bodies of the posts, and the skeleton that they belong to. */
  async function* settle(isWanted: (id: string) => boolean): AsyncGenerator<number> {
    for (let round = 0; round < ROUNDS; round += 1) {
      yield* fetchBodies(client, bodies, missingIn(skeleton, bodies, isWanted));
      const fresh = await readSkeleton(client, siteUrl);
      const isSettled = fresh.hash === skeleton.hash;
      skeleton = fresh;
      if (isSettled && missingIn(skeleton, bodies, isWanted).length === 0) return;
    }
    throw changesTooFast('posts');
  }

  async function* rows(wanted: readonly Wanted[]): AsyncGenerator<RowBatch> {
    const asked = wanted.filter(({ table }) => POST_TABLES.has(table));
    const isWanted = wantedPosts(asked);
    if (asked.length > 0) {
      for await (const share of settle(isWanted)) yield { table: 'posts', rows: [], share };
    }
    for (const { table, ids } of wanted) {
      if (POST_TABLES.has(table)) continue;
      const known = skeleton.tables.get(table);
      if (known === undefined) continue;
      const only = ids === undefined ? null : new Set(ids);
      yield* inBatches(
        table,
        only === null ? known : known.filter((row) => only.has(String(row.id))),
      );
    }
    for (const { table } of asked) yield* postRows(table, isWanted);
  }

  async function* postRows(
    table: string,
    isWanted: (id: string) => boolean,
  ): AsyncGenerator<RowBatch> {
    const { posts, texts } = skeleton;
    yield { table, rows: [], share: 1 };
    for await (const batch of bodies.read((id) => posts.has(id) && isWanted(id))) {
      const made = batch.map((post) =>
        table === 'posts'
          ? postRow(post, posts.get(post.id)?.resource === 'pages' ? 'page' : 'post', texts)
          : metaRow(post, texts),
      );
      yield { table, rows: made, share: 1 };
    }
  }

  async function* rowHashes(wanted: readonly Wanted[]): AsyncGenerator<RowHashBatch> {
    for (const { table } of wanted) {
      const made = rowHashesOf(table, skeleton);
      if (made !== null) yield { table, rowHashes: made.sort(byId), share: 1 };
    }
  }

  return {
    version,
    nowMs: async () => skeleton.nowMs,
    rows,
    rowHashes,
    isWhole: (table) => SHOWN_WHOLE.has(table),
    hides: (table) => table === 'posts',
    addressWarning: (permalinks) => skeleton.addresses.warning(permalinks),
    close: bodies.close,
  };
};

/** A list of one page is of one moment; longer ones are read until two readings are equal. */
const readSettled = async (client: ContentClient, siteUrl: string): Promise<Skeleton> => {
  let earlier: string | null = null;
  for (let round = 0; round < ROUNDS; round += 1) {
    const skeleton = await readSkeleton(client, siteUrl);
    if (skeleton.posts.size <= PAGE_RECORDS || skeleton.hash === earlier) return skeleton;
    earlier = skeleton.hash;
  }
  throw changesTooFast('posts');
};

/** Of these, what was shown and is no more is out of sight or gone; a tag without posts is there all the same. */
const SHOWN_WHOLE: ReadonlySet<string> = new Set([
  'posts',
  'posts_tags',
  'posts_authors',
  'posts_products',
  'products_benefits',
]);

const wantedPosts = (asked: readonly Wanted[]): ((id: string) => boolean) => {
  if (asked.some(({ ids }) => ids === undefined)) return () => true;
  const ids = new Set(asked.flatMap((one) => one.ids ?? []));
  return (id) => ids.has(id);
};

const missingIn = (
  { posts }: Skeleton,
  bodies: Bodies,
  isWanted: (id: string) => boolean,
): [string, PostSkeleton][] =>
  [...posts].filter(([id, post]) => isWanted(id) && bodies.updatedAt(id) !== post.updatedAt);

/** Yields how much of it is done. Where an answer is too large, fewer are asked for at once. */
async function* fetchBodies(
  client: ContentClient,
  bodies: Bodies,
  posts: readonly [string, PostSkeleton][],
): AsyncGenerator<number> {
  let done = 0;
  for (const resource of ['posts', 'pages'] as const) {
    const ids = posts.flatMap(([id, post]) => (post.resource === resource ? [id] : []));
    let size = PAGE_RECORDS;
    for (let at = 0; at < ids.length; ) {
      const batch = ids.slice(at, at + size);
      try {
        await bodies.keep(await readPosts(client, resource, batch));
      } catch (error) {
        const isTooLarge = error instanceof PrepressError && error.code === 'SOURCE_TOO_LARGE';
        if (!isTooLarge || size === 1) throw error;
        size = Math.ceil(size / 2);
        continue;
      }
      at += batch.length;
      done += batch.length;
      yield done / posts.length;
    }
  }
}

const ROWS_PER_BATCH = 500;

function* inBatches(table: string, rows: readonly RawRow[]): Generator<RowBatch> {
  for (let at = 0; at === 0 || at < rows.length; at += ROWS_PER_BATCH) {
    yield { table, rows: rows.slice(at, at + ROWS_PER_BATCH), share: 1 };
  }
}

const rowHashesOf = (table: string, { posts, tables, nowMs }: Skeleton): RowHash[] | null => {
  if (!POST_TABLES.has(table)) {
    return tables.get(table)?.map((row) => rowHashOf(row, { nowMs: null })) ?? null;
  }
  return [...posts].map(([id, { hash, updatedAt }]) => {
    // Its name is hashed, too: with another, every post that was taken would be read again.
    const row = { id, mark: hash, updated_at: updatedAt };
    const own = table === 'posts' ? id : String(metaRow({ id }, NO_TEXTS).id);
    return { ...rowHashOf(row, { nowMs }), id: own };
  });
};

const NO_TEXTS = { text: (value: unknown) => value, html: (value: unknown) => value };

const byId = (a: RowHash, b: RowHash): number => (a.id < b.id ? -1 : 1);
