// Renders the rows of a real site's export and compares every field of the interface with what the
// site itself answered. What may differ stands in one table, with its reason.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RECORD_SCHEMAS } from '../../../src/contract/content/documents.ts';
import { settingsSchema } from '../../../src/contract/content/settings.ts';
import { renderSettings } from '../../../src/documents/settings-document.ts';
import type { AuthorRow, PostRow, PostSource, TagRow } from '../../../src/store/rows.ts';
import { createFragmentRenderer } from './fragments.ts';
import { type JsonRecord, parseRecord } from './json.ts';

const SITE_URL = 'http://127.0.0.1:23680';
const folder = new URL('../../fixtures/ghost-small/', import.meta.url);

const rowSchema = z.looseObject({ id: z.string() });
type Row = z.infer<typeof rowSchema>;
const exportSchema = z.object({
  db: z.array(z.object({ data: z.record(z.string(), z.array(rowSchema)) })).length(1),
});
const captureSchema = z.object({ body: z.record(z.string(), z.unknown()) });

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

const readTables = (): Readonly<Record<string, readonly Row[]>> =>
  exportSchema.parse(readJson('ghost-export.json')).db[0]?.data ?? {};

const readRecords = (name: string, resource: string): readonly Row[] =>
  z.array(rowSchema).parse(captureSchema.parse(readJson(name)).body[resource]);

type AllowedDifference = {
  readonly why: string;
  readonly isAllowed: (field: string, ours: unknown, theirs: unknown) => boolean;
};

const ALLOWED: readonly AllowedDifference[] = [
  {
    why: 'excerpt is a string',
    isAllowed: (field, ours, theirs) => field === 'excerpt' && ours === '' && theirs === null,
  },
  {
    why: 'reading_time is there for an empty body too',
    isAllowed: (field, ours, theirs) =>
      field === 'reading_time' && ours === 0 && theirs === undefined,
  },
  {
    why: 'a page has the structure of a post',
    isAllowed: (field, ours, theirs) =>
      field === 'email_subject' && ours === null && theirs === undefined,
  },
  {
    why: 'the support address is an e-mail address',
    isAllowed: (field, ours, theirs) =>
      field === 'members_support_address' && ours === 'noreply@127.0.0.1' && theirs === 'noreply',
  },
];

/** Fields of ours that differ from theirs without being allowed to. */
const findDifferences = (ours: JsonRecord, theirs: JsonRecord): unknown[] =>
  Object.entries(ours).flatMap(([field, value]) => {
    const other = narrow(value, theirs[field]);
    if (JSON.stringify(value) === JSON.stringify(other)) return [];
    if (ALLOWED.some(({ isAllowed }) => isAllowed(field, value, other))) return [];
    return [{ id: ours.id, field, ours: value, theirs: other }];
  });

/** Embedded records are smaller than the site's own: only the keys that ours have are compared. */
const narrow = (ours: unknown, theirs: unknown): unknown => {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    return theirs.map((record, index) => narrow(ours[index], record));
  }
  if (!isObject(ours) || !isObject(theirs)) return theirs;
  return Object.fromEntries(Object.keys(ours).map((key) => [key, theirs[key]]));
};

const isObject = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tables = readTables();
const rowsOf = (table: string): readonly Row[] => tables[table] ?? [];
const renderer = createFragmentRenderer({
  siteUrl: SITE_URL,
  timezone: 'Etc/UTC',
  outboundLinkTagging: true,
  permalinks: '/{slug}/',
});

const META_NULL = {
  og_image: null,
  og_title: null,
  og_description: null,
  twitter_image: null,
  twitter_title: null,
  twitter_description: null,
  meta_title: null,
  meta_description: null,
  email_subject: null,
  feature_image_alt: null,
  feature_image_caption: null,
};

const linked = (post: Row, pivot: string, key: string, table: string): Row[] =>
  rowsOf(pivot)
    .filter((link) => link.post_id === post.id)
    .sort((a, b) => Number(a.sort_order) - Number(b.sort_order) || (a.id < b.id ? -1 : 1))
    .flatMap((link) => rowsOf(table).filter((row) => row.id === link[key]));

const sourceOf = (post: Row): PostSource => {
  const { id: _, ...meta } = rowsOf('posts_meta').find((row) => row.post_id === post.id) ?? post;
  return {
    post: { ...META_NULL, ...meta, ...post } as unknown as PostRow,
    tags: linked(post, 'posts_tags', 'tag_id', 'tags') as unknown as TagRow[],
    authors: linked(post, 'posts_authors', 'author_id', 'users') as unknown as AuthorRow[],
  };
};

const countPosts = (pivot: string, key: string, id: string): number =>
  rowsOf('posts').filter(
    (post) =>
      post.type === 'post' &&
      post.status === 'published' &&
      rowsOf(pivot).some((link) => link.post_id === post.id && link[key] === id),
  ).length;

describe('the captured site', () => {
  it.each([
    ['content-posts.json', 'posts', 0, 15],
    ['content-posts-include.json', 'posts', 3, 15],
    ['content-pages-include.json', 'pages', 3, 3],
    ['content-post-by-slug.json', 'posts', 3, 1],
    ['content-post-gated-none.json', 'posts', 0, 1],
    ['content-post-paywall.json', 'posts', 0, 1],
  ])('answers %s as we render it', (name, resource, variant, total) => {
    const records = readRecords(name, resource);
    expect(records).toHaveLength(total);
    const schema = Object.values(RECORD_SCHEMAS[resource] ?? {})[variant];
    const differences = records.flatMap((theirs) => {
      const row = rowsOf('posts').find(({ id }) => id === theirs.id);
      if (row === undefined) return [{ id: theirs.id, missing: 'in the export' }];
      const ours = parseRecord(renderer.post(sourceOf(row))[variant]);
      schema?.parse(ours);
      return findDifferences(ours, theirs);
    });
    expect(differences).toEqual([]);
  });

  it('answers tags and their counts as we render them', () => {
    const differences = readRecords('content-tags.json', 'tags').flatMap((theirs) => {
      const tag = rowsOf('tags').find(({ id }) => id === theirs.id) as unknown as TagRow;
      const posts = countPosts('posts_tags', 'tag_id', theirs.id);
      return findDifferences(parseRecord(renderer.tag({ tag, posts })[1]), theirs);
    });
    expect(differences).toEqual([]);
  });

  it('answers authors and their counts as we render them', () => {
    const differences = readRecords('content-authors.json', 'authors').flatMap((theirs) => {
      const author = rowsOf('users').find(({ id }) => id === theirs.id) as unknown as AuthorRow;
      const posts = countPosts('posts_authors', 'author_id', theirs.id);
      return findDifferences(parseRecord(renderer.author({ author, posts })[1]), theirs);
    });
    expect(differences).toEqual([]);
  });

  it('answers the settings as we render them', () => {
    const settings = z.array(z.object({ key: z.string(), value: z.string().nullable() }));
    const values = settings
      .parse(rowsOf('settings'))
      .map(({ key, value }) => [key, value] as const);
    const document = parseRecord(renderSettings(new Map(values), { siteUrl: SITE_URL }));
    const ours = document.settings as JsonRecord;
    settingsSchema.parse(ours);
    const { settings: theirs } = captureSchema.parse(readJson('content-settings.json')).body;
    expect(findDifferences(ours, theirs as JsonRecord)).toEqual([]);
  });
});
