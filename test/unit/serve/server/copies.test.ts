// Copies of posts and pages, authors by their addresses, the owner as `users/me`, and the site without a key.
import { expect, test } from 'vitest';
import { AT, bodyOf, type Json, type Served, serve } from './harness.ts';

/** A post with everything that a copy takes along, and what it leaves. */
const original = (served: Served, type: string): string => {
  const { insert } = served;
  const newsletter_id = insert('newsletters', { uuid: 'u', name: 'N', slug: 'n', created_at: AT });
  const post_id = insert('posts', {
    type,
    title: 'First',
    slug: 'first',
    status: 'published',
    published_at: AT,
    visibility: 'tiers',
    html: '<p>Hello <a href="__GHOST_URL__/x/">x</a></p>',
    lexical: '{"root":{}}',
    featured: 1,
    feature_image: '__GHOST_URL__/content/images/a.png',
    canonical_url: 'https://elsewhere.example/first/',
    custom_excerpt: 'Short',
    newsletter_id,
  });
  const texts = { og_title: 'Og', feature_image_alt: 'Alt', email_subject: 'Mail' };
  insert('posts_meta', { post_id, ...texts, email_only: 1 });
  const tier_id = insert('tiers', { name: 'Gold', slug: 'gold', created_at: AT });
  insert('posts_tiers', { post_id, tier_id });
  for (const [sort_order, slug] of ['second', 'hash-x', 'first'].entries()) {
    insert('posts_tags', { post_id, tag_id: insert('tags', { slug }), sort_order });
  }
  for (const [sort_order, slug] of ['zoe', 'ada'].entries()) {
    insert('posts_authors', { post_id, author_id: insert('users', { slug }), sort_order });
  }
  return post_id;
};

test.each(['post', 'page'])('a %s is copied as a draft', async (type) => {
  const served = await serve();
  const root = `${type}s`;
  const id = original(served, type);
  const read = async (of: unknown): Promise<Json> => {
    const response = await served.admin('GET', `/admin/${root}/${of}/`);
    return (await bodyOf(response))[root]?.[0] ?? {};
  };
  const before = await read(id);
  const response = await served.admin('POST', `/admin/${root}/${id}/copy/`);
  expect(response.status).toBe(201);
  const copy = (await bodyOf(response))[root]?.[0] ?? {};
  expect(response.headers.get('location')).toBe(`${served.origin}/admin/${root}/${copy.id}/`);
  expect(await read(copy.id)).toEqual(copy);
  const { id: _, uuid, comment_id, url, created_at, updated_at, ...rest } = copy;
  expect([copy.id === id, uuid === before.uuid, comment_id]).toEqual([false, false, copy.id]);
  expect(url).toContain('/p/');
  expect(created_at).toBe(updated_at);
  const { id: _id, uuid: _uuid, comment_id: _comment, url: _url, ...same } = before;
  expect({ created_at, updated_at, ...rest }).toEqual({
    ...same,
    created_at,
    updated_at,
    title: 'First (Copy)',
    slug: 'first-copy',
    status: 'draft',
    published_at: null,
    canonical_url: null,
    email_subject: null,
    ...(type === 'post' && { email_only: false }),
  });
  expect((copy.tags as Json[]).map(({ slug }) => slug)).toEqual(['second', 'hash-x', 'first']);
  expect((copy.authors as Json[]).map(({ slug }) => slug)).toEqual(['zoe', 'ada']);
  expect(await read(id)).toEqual(before);
  const stored = served.shell.prepare('SELECT newsletter_id, html FROM posts WHERE id = ?');
  expect(stored.get(copy.id)).toEqual({
    newsletter_id: null,
    html: '<p>Hello <a href="__GHOST_URL__/x/">x</a></p>',
  });
  const again = await served.admin('POST', `/admin/${root}/${id}/copy/`);
  expect((await bodyOf(again))[root]).toMatchObject([{ slug: 'first-copy-2' }]);
  const other = type === 'post' ? 'pages' : 'posts';
  for (const path of [`${other}/${id}`, `${root}/${'f'.repeat(24)}`]) {
    expect((await served.admin('POST', `/admin/${path}/copy/`)).status).toBe(404);
  }
  expect((await served.admin('POST', `/admin/${root}/none/copy/`)).status).toBe(422);
});

test('a copy of a bare post has the owner, and a title that fits', async () => {
  const served = await serve();
  const id = served.insert('posts', { title: '\u{1F600}'.repeat(255) });
  const copy = await bodyOf(await served.admin('POST', `/admin/posts/${id}/copy/`));
  expect(copy.posts).toMatchObject([
    { title: `${'\u{1F600}'.repeat(248)} (Copy)`, authors: [{ slug: 'owner' }], tags: [] },
  ]);
});

test('users/me is the owner', async () => {
  const served = await serve();
  served.insert('users', { slug: 'aaa', created_at: '2000-01-01T00:00:00.000Z' });
  const me = await served.admin('GET', '/admin/users/me/?include=roles');
  expect((await bodyOf(me)).users).toMatchObject([
    { id: served.owner, roles: [{ name: 'Owner' }] },
  ]);
  served.shell.exec('DELETE FROM users');
  expect((await served.admin('GET', '/admin/users/me/')).status).toBe(404);
});

test('the site is read without a key, and with a right one; a wrong one is refused', async () => {
  const served = await serve();
  served.insert('settings', { key: 'title', value: 'The Site' });
  const open = await served.get('/admin/site/');
  expect(open.headers.get('cache-control')).toContain('no-store');
  const site = await open.json();
  expect(site).toMatchObject({ site: { title: 'The Site', url: 'https://news.example/' } });
  expect(await (await served.admin('GET', '/admin/site/')).json()).toEqual(site);
  expect((await served.get('/admin/site/', { method: 'HEAD' })).status).toBe(200);
  const moved = await served.get('/ghost/api/admin/site');
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/ghost/api/admin/site/']);
});
