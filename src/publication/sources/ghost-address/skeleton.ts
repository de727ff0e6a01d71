// All that the content interface shows but bodies: what is small is kept whole, of posts what tells whether they changed,
// and what they are linked to.
import { createHash } from 'node:crypto';
import type { RawRow } from '../source.ts';
import type { ContentClient } from './content-client.ts';
import { createPostAddresses, type PostAddresses } from './post-addresses.ts';
import { authorRow, linkRow, settingRows, tagRow, tierRows } from './record-rows.ts';
import {
  type ContentPost,
  type ContentRecord,
  type ContentSettings,
  listPosts,
  listRecords,
  readSettings,
} from './responses.ts';
import { createStoredTexts, type StoredTexts } from './stored-text.ts';

export type PostSkeleton = {
  readonly resource: 'posts' | 'pages';
  readonly updatedAt: string | null;
  /** What is asked of each post without its body. */
  readonly hash: string;
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly tiers: readonly string[];
};

export type Skeleton = {
  readonly texts: StoredTexts;
  readonly nowMs: number;
  readonly posts: ReadonlyMap<string, PostSkeleton>;
  readonly addresses: PostAddresses;
  /** Rows of the tables that are not posts' own. */
  readonly tables: ReadonlyMap<string, readonly RawRow[]>;
  /** Equal where all of it is. */
  readonly hash: string;
};

const OUTLINE = 'id,title,slug,visibility,featured,published_at,updated_at';

/** Throws as the client does. `siteUrl` has no trailing slash. */
export const readSkeleton = async (client: ContentClient, siteUrl: string): Promise<Skeleton> => {
  const settings = await readSettings(client);
  const posts = new Map<string, PostSkeleton>();
  const addresses = createPostAddresses(siteUrl);
  const shownTiers = new Map<string, ContentRecord>();
  for (const resource of ['posts', 'pages'] as const) {
    const query = { fields: `${OUTLINE},url`, include: 'tags,authors,tiers' };
    for (const post of await listPosts(client, resource, { query })) {
      posts.set(post.id, skeletonOf(resource, post));
      keepTiers(shownTiers, post);
      if (resource === 'posts') addresses.take(post);
    }
  }
  const tags = await listRecords(client, 'tags');
  const authors = await listRecords(client, 'authors');
  const offered = await listRecords(client, 'tiers', {
    query: { include: 'monthly_price,yearly_price,benefits' },
  });
  const tiers = withArchived(offered, shownTiers);
  const tagsLinks = settings.values.outbound_link_tagging !== false;
  const texts = createStoredTexts({ siteUrl, tagsLinks });
  const tables = tablesOf({ settings, posts, tags, authors, tiers }, texts);
  const { nowMs } = settings;
  const hash = hashOf(settings.values, [...posts], tags, authors, tiers);
  return { texts, nowMs, posts, addresses, tables, hash };
};

/** A tier has its currency as it is stored where a post is linked to it; ids of prices are shown nowhere. */
const keepTiers = (shown: Map<string, ContentRecord>, { tiers = [], visibility }: ContentPost) => {
  for (const { monthly_price_id: _monthly, yearly_price_id: _yearly, ...tier } of tiers) {
    if (visibility === 'tiers' || !shown.has(tier.id)) shown.set(tier.id, tier);
  }
};

/** Tiers that are no longer offered stand with posts alone. */
const withArchived = (
  offered: readonly ContentRecord[],
  shown: ReadonlyMap<string, ContentRecord>,
): ContentRecord[] => {
  const known = new Set(offered.map(({ id }) => id));
  const archived = [...shown.values()].filter(
    ({ id, active }) => active === false && !known.has(id),
  );
  return [...offered, ...archived.sort((one, other) => (one.id < other.id ? -1 : 1))];
};

const skeletonOf = (resource: 'posts' | 'pages', post: ContentPost): PostSkeleton => {
  const { tags, authors, tiers, ...shown } = post;
  const columns = OUTLINE.split(',').map((column) => shown[column] ?? null);
  return {
    resource,
    updatedAt: post.updated_at ?? null,
    hash: hashOf(columns),
    tags: idsOf(tags),
    authors: idsOf(authors),
    // Of other posts, those are shown that open it.
    tiers: post.visibility === 'tiers' ? idsOf(tiers) : [],
  };
};

const idsOf = (records: readonly { readonly id: string }[] | undefined): string[] =>
  (records ?? []).map(({ id }) => id);

const hashOf = (...values: readonly unknown[]): string =>
  createHash('sha1').update(JSON.stringify(values)).digest('base64');

type Shown = {
  readonly settings: ContentSettings;
  readonly posts: ReadonlyMap<string, PostSkeleton>;
  readonly tags: readonly ContentRecord[];
  readonly authors: readonly ContentRecord[];
  readonly tiers: readonly ContentRecord[];
};

const tablesOf = (shown: Shown, texts: StoredTexts): Map<string, readonly RawRow[]> => {
  const { settings, posts } = shown;
  const tiers = shown.tiers.map(tierRows);
  const known = {
    tags: new Set(shown.tags.map(({ id }) => id)),
    authors: new Set(shown.authors.map(({ id }) => id)),
    tiers: new Set(shown.tiers.map(({ id }) => id)),
  };
  const links = (table: string, column: string, kind: keyof typeof known): RawRow[] =>
    [...posts].flatMap(([id, post]) =>
      post[kind]
        .filter((target) => known[kind].has(target))
        .map((target, index) => linkRow(table, [id, column, target], index)),
    );
  return new Map<string, readonly RawRow[]>([
    ['settings', settingRows(settings.values, texts)],
    ['users', shown.authors.map((author) => authorRow(author, texts))],
    ['tags', shown.tags.map((tag) => tagRow(tag, texts))],
    ['products', tiers.map(({ tier }) => tier)],
    ['benefits', uniqueById(tiers.flatMap(({ benefits }) => benefits))],
    ['products_benefits', tiers.flatMap((tier) => tier.links)],
    ['posts_tags', links('posts_tags', 'tag_id', 'tags')],
    ['posts_authors', links('posts_authors', 'author_id', 'authors')],
    ['posts_products', links('posts_products', 'product_id', 'tiers')],
  ]);
};

const uniqueById = (rows: readonly RawRow[]): RawRow[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];
