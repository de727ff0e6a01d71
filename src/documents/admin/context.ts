// What the admin shape needs beside rows: the site's address, how addresses and derived texts are made
// (the same functions that the content documents use), and the present for what depends on it.
import type { RecordRow } from '../../store/snapshot.ts';

export type PostRecord = {
  readonly post: RecordRow<'posts'>;
  readonly meta: RecordRow<'posts_meta'> | null;
  /** Linked tags, authors and tiers, each in its order. */
  readonly tags: readonly RecordRow<'tags'>[];
  readonly authors: readonly RecordRow<'users'>[];
  readonly tiers: readonly RecordRow<'tiers'>[];
};

export type AdminContext = {
  /** Origin and path of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** Absolute address of a published post or page. */
  readonly postUrl: (record: PostRecord) => string;
  /** Absolute address of a tag or author that has pages for people. */
  readonly tagUrl: (slug: string) => string;
  readonly authorUrl: (slug: string) => string;
  /** Text of a body whose stored plaintext is missing. */
  readonly plaintextOf: (html: string) => string;
  /** Minutes (interface: reading_time). */
  readonly readingTimeOf: (html: string, featureImage: string | null) => number;
  /** Every tier of the publication, in the order of their making. */
  readonly tiers: readonly RecordRow<'tiers'>[];
  /** False when the avatar service is disabled. */
  readonly hasAvatars: boolean;
  /** The present in milliseconds. */
  readonly now: number;
};

export type JsonObject = { readonly [key: string]: unknown };
