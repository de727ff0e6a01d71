// Revisions of posts: which saves keep one, how many are kept, and what goes with the post.
import { expect, test } from 'vitest';
import { bodyOf, countOf, type Json, type Served, serve } from './harness.ts';

const MINUTE_MS = 60_000;

/** Creates the post, or edits it, and answers it as it is then. */
const save = async ({ admin }: Served, title: string, post?: Json, query = ''): Promise<Json> => {
  const posts = [{ title, html: `<p>${title}</p>`, updated_at: post?.updated_at }];
  const [method, id] = post === undefined ? ['POST', ''] : ['PUT', `${post.id}/`];
  const answer = await admin(method, `/admin/posts/${id}?source=html${query}`, { posts });
  return (await bodyOf(answer)).posts?.[0] ?? {};
};

const listRevisions = async ({ admin }: Served, post: Json): Promise<Json[]> =>
  (await bodyOf(await admin('GET', `/admin/posts/${post.id}/revisions/`))).revisions ?? [];

const titles = async (served: Served, post: Json): Promise<unknown[]> =>
  (await listRevisions(served, post)).map(({ title }) => title);

test('each save keeps a revision, autosaves every ten minutes; the last 25 go with their post', async () => {
  const served = await serve();
  const first = await save(served, 'First');
  expect(await titles(served, first)).toEqual([]);
  let post = await save(served, 'Second', first);
  expect(await listRevisions(served, post)).toMatchObject([
    { title: 'Second', by: 'admin', created_at: post.updated_at, post_id: post.id },
    { title: 'First', by: null, created_at: first.updated_at },
  ]);
  const oldest = (await listRevisions(served, post)).at(-1);
  const read = await bodyOf(await served.admin('GET', `/admin/revisions/${oldest?.id}/`));
  expect(read.revisions).toMatchObject([{ title: 'First', lexical: null, html: '<p>First</p>' }]);

  post = await save(served, 'Third', post, '&autosave=1');
  expect(await titles(served, post)).toEqual(['Second', 'First']);
  served.passTime(11 * MINUTE_MS);
  post = await save(served, 'Fourth', post, '&autosave=1');
  post = await save(served, 'Fifth', post, '&autosave=1');
  expect(await titles(served, post)).toEqual(['Fourth', 'Second', 'First']);
  post = await save(served, 'Fifth', post, '&save_revision=1');
  expect(await titles(served, post)).toEqual(['Fifth', 'Fourth', 'Second', 'First']);
  post = await save(served, 'Fifth', post);
  expect(await titles(served, post)).toHaveLength(4);

  for (let i = 1; i <= 23; i += 1) post = await save(served, `More ${i}`, post);
  const kept = await titles(served, post);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([25, 'More 23', 'Fourth']);
  await served.admin('DELETE', `/admin/posts/${post.id}/`);
  expect(countOf(served, 'post_revisions')).toBe(0);
});

test('a text that a save by hand overwrites is kept, whoever wrote it', async () => {
  const served = await serve();
  const post = await save(served, 'Second', await save(served, 'First'));
  const typed = await save(served, 'Typed', post, '&autosave=1');
  expect(await titles(served, typed)).toEqual(['Second', 'First']);
  const back = await save(served, 'Second', typed);
  expect(await titles(served, back)).toEqual(['Second', 'Typed', 'Second', 'First']);
});

test('an autosave of a draft that was published elsewhere changes nothing of it, tags included', async () => {
  const served = await serve();
  const draft = await save(served, 'Draft');
  const path = `/admin/posts/${draft.id}/`;
  const publish = { posts: [{ status: 'published', updated_at: draft.updated_at }] };
  expect((await served.admin('PUT', path, publish)).status).toBe(200);
  const typed = { posts: [{ tags: ['Late'], updated_at: draft.updated_at }] };
  expect((await served.admin('PUT', `${path}?autosave=1`, typed)).status).toBe(409);
  expect(countOf(served, 'posts_tags')).toBe(0);
});
