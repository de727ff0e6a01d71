// A real site's export, imported and built in Ghost's shape: each captured answer is compared with the file and with the
// answer of the packed tree, as text, so that keys stand in the captured order. What differs stands in one table.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerList, answerRecord } from '../../src/content/queries/answer.ts';
import type { ListResource } from '../../src/content/queries/resource.ts';
import type { TreeStore } from '../../src/content/tree/tree-store.ts';
import { importSource } from '../../src/publication/import/import-source.ts';
import { openGhostExport } from '../../src/publication/sources/ghost-export/source.ts';
import { treeIn } from '../helpers/ask-tree.ts';
import { CAPTURED_EXPORT, CAPTURED_SITE_URL, readCapture } from '../helpers/captured-site.ts';
import { openPublication, type Publication } from '../helpers/publication.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { buildInto, parseFile, testConfig } from '../helpers/tree.ts';

type Fields = Readonly<Record<string, unknown>>;

type Captured = Fields & { readonly id: string; readonly slug: string };

/** A parsed copy would have other places for its keys. */
const recordsOf = (value: unknown): readonly Captured[] => value as readonly Captured[];

/** Published for 2099 on the captured site; here a time to come is scheduled. */
const SLUG_OF_2099 = 'vary';

/** What a site answered that its export does not say. */
const UNKNOWN: Fields = {
  // Of the configuration of its mail.
  default_email_address: 'noreply@127.0.0.1',
  support_email_address: 'noreply@127.0.0.1',
  // Exports leave out the group `core`.
  site_uuid: null,
};

const readTheirs = (capture: string, resource: string): readonly Captured[] =>
  recordsOf(readCapture(capture)[resource])
    .filter(({ slug }) => slug !== SLUG_OF_2099)
    .map(withTagsFirst)
    .map((record) =>
      // That post counts for its author.
      record.slug === 'owner' ? { ...record, count: { posts: 20 } } : record,
    );

const textOf = (record: unknown): string => JSON.stringify(record);

/** Related data stand in the order in which a client asks for them; here tags are first. */
const withTagsFirst = (record: Captured): Captured => {
  const { authors, tags } = record;
  if (authors === undefined || tags === undefined) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap((entry) => {
      if (entry[0] === 'tags') return [];
      return entry[0] === 'authors' ? [['tags', tags], entry] : [entry];
    }),
  ) as Captured;
};

/** Ghost puts the key by which a record was looked up first; files have the order of lists. */
const withSlugInPlace = ({ slug, id, uuid, title, ...keys }: Captured): Fields => ({
  id,
  uuid,
  title,
  slug,
  ...keys,
});

describe("a site in Ghost's shape", () => {
  let content = '';
  let site: Publication;
  let store: TreeStore;

  beforeAll(async () => {
    const suite = suiteFolder();
    const opened = await openPublication(suite.path);
    site = opened;
    const folder = join(suite.path, 'output');
    content = join(folder, 'content');
    const siteUrl = CAPTURED_SITE_URL;
    await importSource(site.store, openGhostExport(CAPTURED_EXPORT), { clock: Date, siteUrl });
    const config = testConfig({ siteUrl, shape: 'ghost' });
    await buildInto(site.store, folder, { config });
    store = treeIn(content);
    return async () => {
      await opened.close();
      suite.remove();
    };
  });

  const readFiles = (file: string): readonly Captured[] =>
    recordsOf(parseFile(content, `${file}.json`)[file.split('/')[0] ?? '']);

  const parse = async (resource: string, pieces: Promise<Uint8Array[] | null>) =>
    recordsOf(JSON.parse(Buffer.concat((await pieces) ?? []).toString())[resource]);

  const ask = (resource: ListResource, rawQuery: string) =>
    parse(resource, answerList(store, resource, { rawQuery, nowMs: 0 }));

  const find = (ours: readonly Captured[], { id }: Captured): string =>
    textOf(ours.find((record) => record.id === id));

  it.each([
    ['content-posts.json', 'posts', 'index', '', 14],
    ['content-posts-include.json', 'posts', 'authors-tags', 'include=tags,authors', 14],
    ['content-pages-include.json', 'pages', 'authors-tags', 'include=authors,tags', 3],
    ['content-tags.json', 'tags', 'count-posts', 'include=count.posts', 10],
    ['content-authors.json', 'authors', 'count-posts', 'include=count.posts', 5],
  ] as const)('answers %s key by key', async (capture, resource, variant, query, total) => {
    const theirs = readTheirs(capture, resource);
    expect(theirs).toHaveLength(total);
    const listed = readFiles(`${resource}/${variant}`);
    const asked = await ask(resource, `${query}&limit=999`);
    for (const record of theirs) {
      expect(find(listed, record)).toBe(textOf(record));
      expect(find(asked, record)).toBe(textOf(record));
      expect(textOf(readFiles(`${resource}/${record.id}/${variant}`))).toBe(textOf([record]));
    }
  });

  it.each([
    ['content-post-by-slug.json', 'authors-tags', 'include=authors,tags'],
    ['content-post-paywall.json', 'index', ''],
    ['content-post-gated-none.json', 'index', ''],
  ])('answers %s key by key', async (capture, variant, rawQuery) => {
    const [theirs] = readTheirs(capture, 'posts') as [Captured];
    const { slug } = theirs;
    const wanted = textOf([withSlugInPlace(theirs)]);
    expect(textOf(readFiles(`posts/slug/${slug}/${variant}`))).toBe(wanted);
    const asked = answerRecord(store, 'posts', { key: { column: 'slug', value: slug }, rawQuery });
    expect(textOf(await parse('posts', asked))).toBe(wanted);
  });

  it('answers the settings key by key', () => {
    const theirs = readCapture('content-settings.json');
    const settings = Object.fromEntries(
      Object.entries(theirs.settings as Fields).map(([key, value]) => [
        key,
        key in UNKNOWN ? UNKNOWN[key] : value,
      ]),
    );
    const ours = parseFile(content, 'settings/index.json');
    expect(textOf({ ...ours, settings: sortedLabs(ours.settings as Fields) })).toBe(
      textOf({ ...theirs, settings: sortedLabs(settings) }),
    );
  });

  it('answers the tiers, and those of posts where they are included', async () => {
    const { tiers } = readCapture('admin-tiers.json') as { tiers: Captured[] };
    const updated = site.shell.prepare("SELECT updated_at FROM tiers WHERE type = 'paid'").pluck();
    // The site saved its tier again between the capture and the export.
    const now = tiers.map((tier) =>
      tier.type === 'paid' ? { ...tier, updated_at: updated.get() } : tier,
    );
    const document = parseFile(content, 'tiers/index.json');
    expect(textOf(document.tiers)).toBe(textOf(now));
    expect(document.meta).toMatchObject({ pagination: { page: 1, pages: 1, total: 2 } });
    const posts = await ask('posts', 'include=tiers,tags&limit=999');
    const slugsOf = (slug: string): unknown =>
      recordsOf(posts.find((post) => post.slug === slug)?.tiers).map((tier) => tier.slug);
    expect(slugsOf('public-link')).toEqual(['free', 'default-product']);
    expect(slugsOf('members-paywall')).toEqual(['free', 'default-product']);
    expect(slugsOf('paywall-first')).toEqual(['default-product']);
    expect(slugsOf('tier')).toEqual(['default-product']);
    const [capturedPost] = readCapture('admin-posts.json').posts as Fields[];
    const shown = recordsOf(capturedPost?.tiers).map((tier) =>
      tier.type === 'paid' ? { ...tier, updated_at: updated.get() } : tier,
    );
    const post = posts.find(({ slug }) => slug === 'public-link');
    expect(textOf(post?.tiers)).toBe(textOf(shown));
    expect(Object.keys(post ?? {}).join()).toContain('canonical_url,tags,tiers,primary_tag,url');
  });

  it('says plain text once, and only where there is any', async () => {
    const theirs = readTheirs('content-post-paywall.json', 'posts')[0];
    const both = await ask('posts', 'formats=html,plaintext&limit=999');
    const textsOf = (slug: string) => both.find((post) => post.slug === slug);
    expect(textsOf('members-paywall')?.plaintext).toBe(theirs?.plaintext);
    expect(textsOf('empty-body')).not.toHaveProperty('plaintext');
    expect(textsOf('tier')?.plaintext).toBe('');
    const query = {
      key: { column: 'slug', value: 'members-paywall' } as const,
      rawQuery: 'fields=id,title&formats=html,plaintext',
    };
    const [named] = await parse('posts', answerRecord(store, 'posts', query));
    const { id, title, slug, html, plaintext } = theirs as Captured;
    expect(textOf(named)).toBe(textOf({ id, title, slug, html, plaintext }));
  });

  it.each([
    ['primary_tag:-nothing', ['by-zed-and-owner', 'members-paywall', 'coming-soon']],
    ['primary_tag:-news', ['by-zed-and-owner', 'members-paywall']],
    ['primary_tag:-[alpha,nothing]', ['by-zed-and-owner', 'coming-soon']],
    ["primary_tag:-~'nothing'", ['by-zed-and-owner', 'members-paywall', 'coming-soon']],
    ["tag:-~'news'", ['by-zed-and-owner', 'only-internal-tag', 'members-paywall', 'public-link']],
    ["tags.name:-~'o'", ['by-zed-and-owner', 'members-paywall', 'coming-soon', 'public-link']],
    ["author:-~'owner'", ['by-alpha-a', 'by-suspended', 'by-zed-and-owner']],
    ['primary_author:-owner', ['by-alpha-a', 'by-suspended', 'by-zed-and-owner']],
    ["slug:paid,tags.created_at:<'2020-01-01'", ['paid']],
    ['slug:paid+tags.parent_id:-null', ['paid']],
  ])('finds by %s what Ghost finds', async (filter, slugs) => {
    const found = await ask('posts', `limit=999&filter=${encodeURIComponent(filter)}`);
    expect(found.map(({ slug }) => slug)).toEqual(slugs);
  });
});

/** Flags have no order of their own. */
const sortedLabs = (settings: Fields): Fields => ({
  ...settings,
  labs: Object.entries(settings.labs as Fields).sort(),
});
