// What the admin shape needs beside rows: the site's address and permalinks (the same that the content
// documents use), the tiers of the publication, and the present for what depends on it.

import type { RecordRow } from '../../snapshot/snapshot.ts';
import { type ReadColumn, readColumns } from '../../tables/record-tables.ts';
import type { PostSource } from '../../tables/rows.ts';
import { createSiteUrlResolver, type SiteUrlResolver } from '../site-url.ts';
import { createRecordUrls, type RecordUrls } from '../urls.ts';

export type PostRecord = {
  readonly post: RecordRow<'posts'>;
  readonly meta: RecordRow<'posts_meta'> | null;
  /** Linked tags, authors and tiers, each in its order. */
  readonly tags: readonly RecordRow<'tags'>[];
  readonly authors: readonly RecordRow<'users'>[];
  readonly tiers: readonly RecordRow<'tiers'>[];
};

export type AdminContext = {
  readonly siteUrl: string;
  readonly site: SiteUrlResolver;
  readonly urls: RecordUrls;
  /** Every tier of the publication, in the order of their making. */
  readonly tiers: readonly RecordRow<'tiers'>[];
  /** False when the avatar service is disabled. */
  readonly hasAvatars: boolean;
  /** The present in milliseconds. */
  readonly now: number;
};

export type JsonObject = { readonly [key: string]: unknown };

type ContextOptions = {
  /** Origin and path of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** Pattern of post addresses; `/{slug}/` when absent. */
  readonly permalinks?: string;
  readonly tiers: readonly RecordRow<'tiers'>[];
  readonly hasAvatars?: boolean;
  readonly now: number;
};

/** Throws CONFIG_INVALID for a permalink pattern that has an unknown placeholder. */
export const createAdminContext = ({
  siteUrl,
  permalinks = '/{slug}/',
  tiers,
  hasAvatars = true,
  now,
}: ContextOptions): AdminContext => ({
  siteUrl,
  site: createSiteUrlResolver(siteUrl),
  urls: createRecordUrls({ siteUrl, permalinks }),
  tiers: [...tiers].sort((a, b) => (a.id < b.id ? -1 : 1)),
  hasAvatars,
  now,
});

/** The record as the content documents know it. */
export const toPostSource = ({ post, meta, tags, authors }: PostRecord): PostSource => ({
  post: { ...NO_META, ...meta, ...post },
  tags,
  authors,
});

const NO_META = Object.fromEntries(
  readColumns('posts_meta').map((column) => [column, null]),
) as Record<ReadColumn<'posts_meta'>, null>;
