// Builds in Ghost's shape: what of tiers and comments is shown, and what a change of it all leaves. The order of keys is
// compared with captured answers in test/end-to-end/ghost-shape.test.ts.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  GHOST_RECORD_SCHEMAS,
  tierSchema,
} from '../../../../src/content/contract/ghost-documents.ts';
import { readTree } from '../../../../src/content/queries/answer.ts';
import { askTree, treeIn } from '../../../helpers/ask-tree.ts';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import { buildInto, parseFile, readTree as readFiles, testConfig } from '../../../helpers/tree.ts';

type Fields = Readonly<Record<string, unknown>>;

const TIME = '2026-01-01T10:00:00.000Z';
const idOf = (number: number): string => String(number).padStart(24, '0');

let site: Publication;
let folder = '';
let content = '';
const ids: Record<string, string> = {};

const build = (flags: Fields = { shape: 'ghost' }) =>
  buildInto(site.store, folder, { config: testConfig(flags) });

beforeEach(async () => {
  site = await createPublication();
  folder = join(site.folder, 'output');
  content = join(folder, 'content');
  const { insert } = site;
  const paid = { type: 'paid', currency: 'EUR', created_at: TIME, visibility: 'public' };
  ids.free = insert('tiers', {
    ...paid,
    type: 'free',
    currency: null,
    id: idOf(1),
    name: 'Free',
    slug: 'free',
  });
  ids.gold = insert('tiers', {
    ...paid,
    id: idOf(2),
    name: 'Gold',
    slug: 'gold',
    monthly_price: 500,
  });
  ids.old = insert('tiers', {
    ...paid,
    id: idOf(3),
    name: 'Old',
    slug: 'old',
    active: 0,
    monthly_price: 300,
    monthly_price_id: 'price',
  });
  const benefit = insert('benefits', { name: 'Letters', slug: 'letters', created_at: TIME });
  insert('tiers_benefits', { tier_id: ids.gold, benefit_id: benefit });
  const tag = insert('tags', { name: 'News', slug: 'news' });
  const author = insert('users', { name: 'Ann', slug: 'ann' });
  const post = (slug: string, row: Fields): string => {
    const id = insert('posts', { slug, status: 'published', published_at: TIME, ...row });
    insert('posts_tags', { post_id: id, tag_id: tag });
    insert('posts_authors', { post_id: id, author_id: author });
    return id;
  };
  post('open', {
    html: '<p>Say <a href="/x" title=",&quot;url&quot;:">url</a></p>',
    plaintext: 'Say url',
  });
  post('empty', {});
  const cut = '<p>free</p><!--members-only--><p>SECRET</p>';
  post('cut', { html: cut, plaintext: 'free\n\nSECRET', visibility: 'paid' });
  const closed = post('closed', {
    html: '<p>SECRET</p>',
    plaintext: 'SECRET',
    visibility: 'tiers',
  });
  insert('posts_tiers', { post_id: closed, tier_id: ids.gold });
  insert('posts_tiers', { post_id: closed, tier_id: ids.old, sort_order: 1 });
  const picture = '<figure><img src="/a.png"></figure>';
  post('picture', { html: picture, plaintext: '' });
  post('closed-picture', { html: picture, plaintext: '', visibility: 'paid' });
  post('page', { type: 'page', html: '<p>Page</p>', plaintext: 'Page' });
  await build();
});

const recordsIn = (document: Fields, resource: string): readonly Fields[] =>
  document[resource] as readonly Fields[];

const ask = async (resource: 'posts' | 'pages' | 'tags' | 'authors', query: string) =>
  recordsIn(JSON.parse(await askTree(content, resource, query)), resource);

const askOne = async (slug: string, query: string): Promise<Fields> =>
  (await ask('posts', `${query}&filter=slug:${slug}`))[0] as Fields;

test('files have the bytes of answers, which fit their schemas', async () => {
  for (const resource of ['posts', 'pages', 'tags', 'authors'] as const) {
    const isCounted = resource === 'tags' || resource === 'authors';
    const other = isCounted
      ? { variant: 'count-posts', query: 'include=count.posts' }
      : { variant: 'authors-tags', query: 'include=tags,authors' };
    for (const { variant, query } of [{ variant: 'index', query: '' }, other]) {
      for (const record of await ask(resource, query)) {
        const file = parseFile(content, `${resource}/${record.id}/${variant}.json`);
        expect(JSON.stringify(file)).toBe(JSON.stringify({ [resource]: [record] }));
        expect(GHOST_RECORD_SCHEMAS[resource]?.[variant]?.safeParse(record).error).toBe(undefined);
      }
    }
  }
});

test('what is empty is absent or null, and what was cut is plain text too', async () => {
  const empty = await askOne('empty', 'formats=html,plaintext');
  expect(empty).toMatchObject({ html: null, excerpt: null });
  expect(empty).not.toHaveProperty('reading_time');
  expect(empty).not.toHaveProperty('plaintext');
  const cut = await askOne('cut', '');
  expect(cut).toMatchObject({ html: '<p>free</p>', plaintext: 'free', excerpt: 'free' });
  const both = await askTree(content, 'posts', 'formats=html,plaintext&filter=slug:cut');
  expect(both.split('"plaintext"')).toHaveLength(2);
  expect(await askOne('closed', '')).toMatchObject({ html: '', excerpt: '', comments: false });
  expect([...readFiles(content).values()].join()).not.toContain('SECRET');
});

test('of a closed post, nothing is shown where html is not asked for', async () => {
  for (const query of ['formats=plaintext', 'fields=excerpt,plaintext']) {
    expect(await askOne('cut', query)).toMatchObject({ excerpt: '', plaintext: '' });
  }
  expect(await askOne('cut', 'fields=html,excerpt')).toMatchObject({ excerpt: 'free' });
});

test('plain text stands behind comment_id, and is no key of a picture alone', async () => {
  for (const slug of ['open', 'cut', 'closed']) {
    for (const query of ['formats=html,plaintext', 'formats=plaintext&include=tags']) {
      expect(Object.keys(await askOne(slug, query)).join()).toContain(
        'comment_id,plaintext,feature',
      );
    }
  }
  for (const slug of ['picture', 'closed-picture']) {
    expect(await askOne(slug, 'formats=html,plaintext')).not.toHaveProperty('plaintext');
  }
});

test('tags stand before authors, and tiers after them', async () => {
  const keys = Object.keys(await askOne('open', 'include=authors,tiers,tags')).join();
  expect(keys).toContain('canonical_url,tags,authors,tiers,primary_author,primary_tag,url');
});

describe('tiers', () => {
  const slugsOf = async (slug: string) =>
    ((await askOne(slug, 'include=tiers')).tiers as Fields[]).map((tier) => tier.slug);

  test('are those that a post asks for, by price', async () => {
    expect(await slugsOf('open')).toEqual(['free', 'old', 'gold']);
    expect(await slugsOf('cut')).toEqual(['old', 'gold']);
    expect(await slugsOf('closed')).toEqual(['gold', 'old']);
    site.shell.prepare("UPDATE tiers SET slug = 'silver' WHERE slug = 'gold'").run();
    await build();
    expect(await slugsOf('closed')).toEqual(['silver', 'old']);
  });

  test('have currency and prices as they are stored where a post is linked to them', async () => {
    const oldOf = async (slug: string) =>
      ((await askOne(slug, 'include=tiers')).tiers as Fields[]).find((tier) => tier.slug === 'old');
    expect(await oldOf('cut')).toMatchObject({ currency: 'eur', monthly_price_id: null });
    expect(await oldOf('closed')).toMatchObject({ currency: 'EUR', monthly_price_id: 'price' });
  });

  test('are a list of the active ones', () => {
    const tiers = recordsIn(parseFile(content, 'tiers/index.json'), 'tiers');
    for (const tier of tiers) expect(tierSchema.safeParse(tier).error).toBe(undefined);
    expect(tiers.map(({ slug, benefits, currency }) => [slug, benefits, currency])).toEqual([
      ['free', [], undefined],
      ['gold', ['Letters'], 'EUR'],
    ]);
  });
});

test('comments follow their setting', async () => {
  expect(await askOne('open', '')).toMatchObject({ comments: true });
  site.insert('settings', { key: 'comments_enabled', value: 'off' });
  await build();
  expect(await askOne('open', '')).toMatchObject({ comments: false });
});

test('the other shape leaves nothing of this one, and comes back', async () => {
  const ghost = readFiles(content);
  await build({});
  const interfaceTree = readFiles(content);
  expect(interfaceTree.has('tiers/index.json')).toBe(false);
  expect(await readTree(treeIn(content), async (root) => Object.keys(root))).not.toContain('tiers');
  expect(await askOne('open', 'include=tiers')).not.toHaveProperty('tiers');
  rmSync(folder, { recursive: true });
  await build({});
  expect(readFiles(content)).toEqual(interfaceTree);
  await build();
  expect(readFiles(content)).toEqual(ghost);
});
