// Posts and pages in bulk, as Ghost offers it to keys: edits and deletes of those that a filter chooses.
import { expect, test, vi } from 'vitest';
import { AT, faultOf, type Json, type Served, serve } from './harness.ts';

const put = (served: Served, filter: string, bulk: Json, root = 'posts'): Promise<Response> =>
  served.admin('PUT', `/admin/${root}/bulk/?filter=${encodeURIComponent(filter)}`, { bulk });

const statsOf = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(200);
  return ((await response.json()) as { bulk: { meta: Json } }).bulk.meta.stats;
};

const chosen = (successful: number) => ({ successful, unsuccessful: 0 });

/** By slug: a published, a scheduled and a draft post, and a page. */
const fill = (served: Served): Record<string, string> => {
  const time = { created_at: AT, updated_at: AT };
  const insert = (slug: string, row: Json): [string, string] => [
    slug,
    served.insert('posts', { slug, title: slug, ...time, ...row }),
  ];
  return Object.fromEntries([
    insert('out', { status: 'published', published_at: AT }),
    insert('due', { status: 'scheduled', published_at: '2027-01-01T00:00:00.000Z' }),
    insert('draft', { status: 'draft', featured: 1 }),
    insert('page', { status: 'published', published_at: AT, type: 'page' }),
  ]);
};

const rows = ({ shell }: Served, columns: string): unknown[] =>
  shell.prepare(`SELECT slug, ${columns} FROM posts ORDER BY rowid`).raw().all();

test('posts are unpublished, unscheduled and featured by a filter; pages are others', async () => {
  const served = await serve();
  const { due = '' } = fill(served);
  served.insert('posts_meta', { post_id: due, email_only: 1 });
  const featured = await put(served, 'status:[draft,published]', { action: 'feature' });
  expect(await featured.json()).toEqual({
    bulk: {
      action: 'feature',
      meta: { stats: chosen(2), errors: [], unsuccessfulData: [] },
    },
  });
  expect(rows(served, `featured, updated_at = '${AT}'`)).toEqual([
    ['out', 1, 0],
    ['due', 0, 1],
    ['draft', 1, 1],
    ['page', 0, 1],
  ]);
  expect(await statsOf(await put(served, 'id:-1', { action: 'unfeature' }))).toEqual(chosen(3));
  expect(await statsOf(await put(served, 'id:-1', { action: 'unpublish' }))).toEqual(chosen(1));
  expect(await statsOf(await put(served, 'id:-1', { action: 'unschedule' }))).toEqual(chosen(1));
  expect(rows(served, 'featured, status, published_at')).toEqual([
    ['out', 0, 'draft', AT],
    ['due', 0, 'draft', null],
    ['draft', 0, 'draft', null],
    ['page', 0, 'published', AT],
  ]);
  expect(served.shell.prepare('SELECT email_only FROM posts_meta').pluck().get()).toBe(0);
  const pages = await put(served, 'slug:page', { action: 'unpublish' }, 'pages');
  expect(await statsOf(pages)).toEqual(chosen(1));
});

test('posts get a visibility with its tiers, and tags after their own', async () => {
  const served = await serve();
  const { out = '', due = '', draft = '' } = fill(served);
  const tier = served.insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
  const access = { visibility: 'tiers', tiers: [{ id: tier }] };
  await statsOf(await put(served, 'slug:out', { action: 'access', meta: access }));
  await statsOf(await put(served, 'slug:due', { action: 'access', meta: { visibility: 'paid' } }));
  expect(rows(served, 'visibility').slice(0, 3)).toEqual([
    ['out', 'tiers'],
    ['due', 'paid'],
    ['draft', 'public'],
  ]);
  expect(served.shell.prepare('SELECT post_id, tier_id FROM posts_tiers').raw().all()).toEqual([
    [out, tier],
  ]);
  const own = served.insert('tags', { name: 'Own', slug: 'own' });
  for (const [post_id, tag_id] of [
    [out, own],
    [due, served.insert('tags', { name: 'Known', slug: 'known' })],
  ])
    served.insert('posts_tags', { post_id, tag_id, sort_order: 0 });
  const tags = [{ name: 'known' }, { name: 'New' }, { id: own }];
  await statsOf(await put(served, 'id:-1', { action: 'addTag', meta: { tags } }));
  const tagsOf = (id: string): unknown =>
    served.shell
      .prepare(
        `SELECT group_concat(name) FROM (SELECT name FROM posts_tags JOIN tags ON tags.id = tag_id
          WHERE post_id = ? ORDER BY sort_order)`,
      )
      .pluck()
      .get(id);
  expect([out, due, draft].map(tagsOf)).toEqual([
    'Own,Known,New',
    'Known,New,Own',
    'Known,New,Own',
  ]);
});

test('posts are deleted by a filter, all parts as one action', async () => {
  const served = await serve();
  fill(served);
  for (let at = 0; at < 205; at += 1) served.insert('posts', { slug: `many-${at}`, featured: 1 });
  const deleted = await served.admin('DELETE', '/admin/posts/?filter=featured:true');
  expect(await deleted.json()).toEqual({ bulk: { meta: { stats: chosen(206), errors: [] } } });
  expect(rows(served, 'status').map((row) => (row as unknown[])[0])).toEqual([
    'out',
    'due',
    'page',
  ]);
  const actions = served.shell.prepare("SELECT DISTINCT action FROM changes WHERE op = 'd'");
  expect(actions.pluck().all()).toEqual([expect.stringMatching(/^bulk:/)]);
});

test.each<[string, string, string, unknown, unknown[]]>([
  ['without a filter', 'DELETE', 'posts/', undefined, [422, 'filter']],
  ['without a filter', 'DELETE', 'posts/?filter=', undefined, [422, 'filter']],
  ['without a filter', 'PUT', 'posts/bulk/', { bulk: { action: 'feature' } }, [422, 'filter']],
  ['by a filter of another kind', 'DELETE', 'posts/?filter=html:x', undefined, [400, 'filter']],
  ['by no filter at all', 'DELETE', 'pages/?filter=(', undefined, [400, 'filter']],
  [
    'by a filter that is too long',
    'DELETE',
    `posts/?filter=id:[${'1,'.repeat(4_000)}1]`,
    undefined,
    [400, 'filter'],
  ],
  ['without the root', 'PUT', 'posts/bulk/?filter=id:-1', { posts: [] }, [400, null]],
  ['by no action', 'PUT', 'posts/bulk/?filter=id:-1', { bulk: { action: 'x' } }, [422, 'action']],
  ['to nothing', 'PUT', 'posts/bulk/?filter=id:-1', { bulk: { action: 'access' } }, [422, 'meta']],
  ['by no tag', 'PUT', 'posts/bulk/?filter=id:-1', { bulk: { action: 'addTag' } }, [422, 'meta']],
  [
    'to an unknown tier',
    'PUT',
    'posts/bulk/?filter=id:-1',
    { bulk: { action: 'access', meta: { visibility: 'tiers', tiers: [{ id: 'x' }] } } },
    [422, 'tiers'],
  ],
])('a change of many %s is refused: %s %s', async (_what, method, path, body, fault) => {
  const served = await serve();
  fill(served);
  const before = rows(served, '*');
  expect(await faultOf(await served.admin(method, `/admin/${path}`, body))).toEqual(fault);
  expect(rows(served, '*')).toEqual(before);
});

test('other saves pass between the parts of a change, which then leaves their post alone', async () => {
  const served = await serve();
  for (let at = 0; at < 35; at += 1) served.insert('posts', { slug: `many-${at}`, title: 'Any' });
  let passed = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    passed += 20;
    return passed;
  });
  const save = served.store.write;
  const write = vi.spyOn(served.store, 'write').mockImplementation(async (run, options) => {
    const result = await save(run, options);
    served.shell.exec(`UPDATE posts SET title = 'Mine' WHERE id = (SELECT min(id) FROM posts
      WHERE featured = 0 AND NOT EXISTS (SELECT 1 FROM posts WHERE title = 'Mine'))`);
    return result;
  });
  try {
    const stats = await statsOf(await put(served, 'title:Any', { action: 'feature' }));
    const left = "SELECT title FROM posts WHERE featured = 0 OR title = 'Mine'";
    expect([stats, served.shell.prepare(left).pluck().all()]).toEqual([chosen(34), ['Mine']]);
    const parts = write.mock.calls.filter(([, options]) => options?.action?.startsWith('bulk:'));
    expect(parts.length).toBeGreaterThan(1);
  } finally {
    now.mockRestore();
    write.mockRestore();
  }
});
