// Queries of the stock client from npm, unmodified, and requests as programs that read a Ghost send them, against the
// running companion server.

import GhostContentAPI from '@tryghost/content-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorDocumentSchema } from '../../src/content/contract/error.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

type Post = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly featured: boolean;
  readonly published_at: string;
  readonly updated_at: string;
  readonly tags: readonly { readonly slug: string }[];
  readonly authors: readonly { readonly slug: string }[];
};

let serving: Serving;
let api: GhostContentAPI;
/** Every post with all that it has, the newest first. */
let all: readonly Post[];

beforeAll(async () => {
  const folder = suiteFolder();
  serving = await startServing(folder.path, { args: ['--sample'] });
  const { url, contentKey: key } = serving;
  api = new GhostContentAPI({ url, key, version: 'v6.0' });
  all = (await api.posts.browse({ include: 'tags,authors' })) as unknown as Post[];
  return async () => {
    await serving.end('SIGKILL');
    folder.remove();
  };
});

const slugsOf = (records: readonly object[]): string[] =>
  records.map((record) => String((record as { slug: unknown }).slug));
const slugsWhere = (keep: (post: Post) => boolean): string[] => slugsOf(all.filter(keep));
const hasTag = (slug: string) => (post: Post) => post.tags.some((tag) => tag.slug === slug);
const paginationOf = (list: object): unknown =>
  (list as { meta: { pagination: unknown } }).meta.pagination;

describe('the stock client', () => {
  test('pages through a filter', async () => {
    const wanted = slugsWhere(hasTag('harbours'));
    expect(wanted.length).toBeGreaterThan(3);
    const seen: string[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const list: object[] = await api.posts.browse({ filter: 'tag:harbours', limit: 2, page });
      seen.push(...slugsOf(list));
      const pagination = paginationOf(list) as { next: number | null; total: number };
      expect(pagination.total).toBe(wanted.length);
      page = pagination.next;
    }
    expect(seen).toEqual(wanted);
  });

  test('orders, and takes fields, formats and what is included', async () => {
    const byTitle = await api.posts.browse({ order: 'title ASC', limit: 3, fields: 'title,slug' });
    const titles = all.map(({ title }) => title).sort(new Intl.Collator('en').compare);
    expect(byTitle.map(({ title }) => title)).toEqual(titles.slice(0, 3));
    expect(byTitle.map((post) => Object.keys(post).sort())).toEqual(
      byTitle.map(() => ['slug', 'title']),
    );
    const [post] = await api.posts.browse({
      limit: 1,
      include: ['tags', 'authors'],
      formats: ['html', 'plaintext'],
    });
    const [first] = all;
    expect(post).toEqual({ ...first, plaintext: expect.any(String) });
    const plain = await api.posts.browse({ limit: 1, formats: 'plaintext' });
    expect(plain[0]).not.toHaveProperty('html');
  });
});

const ask = (path: string): Promise<Response> =>
  serving.get(`/content/${path}${path.includes('?') ? '&' : '?'}key=${serving.contentKey}`);

/** Queries as themes, generators and feeds send them, and the posts that each means. */
const ASKED: readonly (readonly [query: string, slugs: () => string[]])[] = [
  ['limit=all', () => slugsOf(all)],
  ['limit=10000', () => slugsOf(all)],
  ['limit=5&page=99', () => []],
  ['page=2', () => []],
  ['filter=', () => slugsOf(all)],
  ['filter=tag: harbours', () => slugsWhere(hasTag('harbours'))],
  [
    'filter=tag:harbours%2Bfeatured:true',
    () => slugsWhere((p) => hasTag('harbours')(p) && p.featured),
  ],
  [
    'filter=tags:[harbours,night]',
    () => slugsWhere((p) => hasTag('harbours')(p) || hasTag('night')(p)),
  ],
  ['filter=tag:-harbours', () => slugsWhere((p) => !hasTag('harbours')(p))],
  [
    'filter=author:ines-valadares',
    () => slugsWhere((p) => p.authors.some(({ slug }) => slug === 'ines-valadares')),
  ],
  ['include=authors&include=tags', () => slugsOf(all)],
  [
    'order=featured DESC,published_at DESC',
    () => slugsOf([...all.filter((p) => p.featured), ...all.filter((p) => !p.featured)]),
  ],
  ['order=published_at asc', () => slugsOf(all).reverse()],
  ['formats=html,plaintext', () => slugsOf(all)],
  ['filter=status:published', () => slugsOf(all)],
  [
    "filter=published_at:<'2026-01-01T00:00:00.000Z'",
    () => slugsWhere((p) => Date.parse(p.published_at) < Date.parse('2026-01-01T00:00:00.000Z')),
  ],
  ["filter=title:~'tide'", () => slugsWhere(({ title }) => title.toLowerCase().includes('tide'))],
  ['filter=slug:[pilot-0410,a-lighthouse-to-let]', () => ['pilot-0410', 'a-lighthouse-to-let']],
];

test.each(ASKED)('posts/?%s', async (query, slugs) => {
  const answer = await ask(`posts/?${query.replaceAll(' ', '%20')}`);
  expect(answer.status).toBe(200);
  const { posts, meta } = (await answer.json()) as { posts: Post[]; meta: object };
  expect(slugsOf(posts)).toEqual(slugs());
  expect(meta).toMatchObject({ pagination: { limit: expect.any(Number) } });
});

test('a post is excluded by its id, and related ones are found', async () => {
  const [first] = all as [Post];
  const rest = await ask(`posts/?filter=id:-${first.id}&fields=slug&limit=3`);
  expect(await rest.json()).toMatchObject({
    posts: slugsOf(all.slice(1, 4)).map((slug) => ({ slug })),
  });
});

test('whatever is asked, the server has an answer', async () => {
  const resources = ['posts', 'pages', 'tags', 'authors'];
  const values = [
    '',
    '-1',
    '1.5',
    'x',
    "'",
    '((',
    'a:b',
    'title:~',
    '%00',
    '🙂',
    'x'.repeat(3_000),
  ];
  const names = ['limit', 'page', 'filter', 'order', 'fields', 'formats', 'include'];
  for (const resource of resources) {
    for (const name of names) {
      for (const value of values) {
        const query = `${name}=${value === '%00' ? value : encodeURIComponent(value)}`;
        const answer = await ask(`${resource}/?${query}`);
        expect([200, 400, 422], `${resource} ${query}`).toContain(answer.status);
        const body: unknown = await answer.json();
        if (answer.status !== 200) errorDocumentSchema.parse(body);
      }
    }
  }
});
