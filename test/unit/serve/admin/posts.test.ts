import { expect, test } from 'vitest';
import type { PostType } from '../../../../src/publication/store/content/posts.ts';
import { beginAnnouncing, changeStatus } from '../../../../src/publication/store/log/publishing.ts';
import { createPost, deletePost, editPost } from '../../../../src/serve/admin/posts/posts.ts';
import { browsePosts, readPost, readPosts } from '../../../../src/serve/admin/posts/read-post.ts';
import { createTag } from '../../../../src/serve/admin/posts/tags.ts';
import { parseInput } from '../../../../src/serve/contract/input/parse-input.ts';
import { postCreateInput, postEditInput } from '../../../../src/serve/contract/input/post-input.ts';
import { isKept, isOnPostgres } from '../../../helpers/publication.ts';
import { createHarness, type Harness, SITE, START } from './harness.ts';

type Payload = Readonly<Record<string, unknown>>;
type Shown = Record<string, unknown> & {
  id: string;
  updated_at: string;
  tags: Record<string, unknown>[];
  authors: Record<string, unknown>[];
};

const read = async ({ context }: Harness, id: string, type: PostType = 'post'): Promise<Shown> =>
  (await readPost(context, { type, id })) as Shown;

const create = async (harness: Harness, payload: Payload, type: PostType = 'post') => {
  const input = parseInput(postCreateInput, payload);
  const id = await createPost(harness.context, { type, input }, { sourceHtml: true });
  return read(harness, id, type);
};

const edit = async (harness: Harness, post: Shown, changes: Payload, type: PostType = 'post') => {
  const input = parseInput(postEditInput, { updated_at: post.updated_at, ...changes });
  await editPost(harness.context, { type, id: post.id, input }, { sourceHtml: true });
  return read(harness, post.id, type);
};

const changesIn = ({ shell }: Harness): number =>
  shell.prepare('SELECT count(*) FROM changes').pluck().get() as number;

const at = (ms: number): string => new Date(START + ms).toISOString();
const HOUR = 3_600_000;
const YEAR = 8766 * HOUR;

test('a new post has the defaults of the interface', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: ' First ', html: '<p>Hello</p>' });
  expect(post).toMatchObject({
    title: 'First',
    slug: 'first',
    status: 'draft',
    visibility: 'public',
    featured: false,
    html: '<p>Hello</p>',
    excerpt: 'Hello',
    published_at: null,
    comment_id: post.id,
    created_at: at(0),
    updated_at: at(0),
    tags: [],
    authors: [{ id: harness.owner }],
  });
  expect(await create(harness, { title: '' })).toMatchObject({
    title: '(Untitled)',
    slug: 'untitled',
  });
});

test('the slug of a draft follows its title until it is given or the post was published', async () => {
  const harness = await createHarness();
  let post = await create(harness, { title: '' });
  const slugs: unknown[] = [];
  for (const changes of [
    { title: 'Tide' },
    { html: '<p>Text</p>' },
    { title: 'Ebb', slug: 'own' },
    { title: 'Flood' },
    { slug: 'flood' },
    { status: 'published', title: 'Live' },
    { title: 'Live again' },
    { status: 'draft', title: 'Back' },
  ]) {
    post = await edit(harness, post, changes);
    slugs.push(post.slug);
  }
  expect(slugs).toEqual(['tide', 'tide', 'own', 'own', 'flood', 'flood', 'flood', 'flood']);
});

const SLUGS: readonly [string, Payload, string][] = [
  [
    'Ghost’s own example',
    { title: "Ünïcödé & SStraße — “Quotes” 日本語 £5 100% it's" },
    'unicode-sstrasse-quotes-ri-ben-yu-5-100-its',
  ],
  ['given slug', { title: 'a', slug: 'My Slug' }, 'my-slug'],
  ['nothing usable', { title: '?!' }, 'post'],
  ['protected', { title: 'RSS' }, 'rss-post'],
  ['our own address', { title: 'Health' }, 'health-post'],
  ['too long', { title: 'x'.repeat(250) }, 'x'.repeat(185)],
];

test.each(SLUGS)('slug: %s', async (_, payload, slug) => {
  expect((await create(await createHarness(), payload)).slug).toBe(slug);
});

test('posts and pages share one space of slugs', async () => {
  const harness = await createHarness();
  const slugs = [
    await create(harness, { title: 'Dup' }),
    await create(harness, { title: 'Dup' }, 'page'),
    await create(harness, { title: 'Dup-2' }),
  ].map(({ slug }) => slug);
  expect(slugs).toEqual(['dup', 'dup-2', 'dup-2-2']);
  const first = await create(harness, { title: 'Other' });
  expect((await edit(harness, first, { slug: 'dup' })).slug).toBe('dup-3');
  expect((await edit(harness, await read(harness, first.id), { slug: 'dup-3' })).slug).toBe(
    'dup-3',
  );
});

const published = (ms: number) => ({ status: 'published', published_at: at(ms) });
const scheduled = (ms: number) => ({ status: 'scheduled', published_at: at(ms) });
const draft = (ms: number) => ({ status: 'draft', published_at: at(ms) });

const MOVES: readonly [string, Payload, Payload, Payload][] = [
  ['publish', {}, { status: 'published' }, published(HOUR)],
  ['publish at a time in the past', {}, published(-HOUR), published(-HOUR)],
  ['publish before 1970', {}, published(-80 * YEAR), published(-80 * YEAR)],
  ['publish at a time in the future', {}, published(9 * HOUR), scheduled(9 * HOUR)],
  ['unpublish keeps the time', { status: 'published' }, { status: 'draft' }, draft(0)],
  ['schedule', {}, scheduled(9 * HOUR), scheduled(9 * HOUR)],
  // Though the client sends its old time back.
  ['publish what was scheduled', scheduled(9 * HOUR), published(9 * HOUR), published(HOUR)],
  ['publish a draft at its time', draft(9 * HOUR), published(9 * HOUR), scheduled(9 * HOUR)],
  ['publish a draft now', draft(9 * HOUR), { status: 'published' }, published(HOUR)],
  ['unschedule', scheduled(9 * HOUR), { status: 'draft' }, draft(9 * HOUR)],
  ['sent is published without an e-mail', {}, { status: 'sent' }, { status: 'published' }],
];

test.each(MOVES)('status: %s', async (_, first, second, expected) => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', ...first });
  harness.passTime(HOUR);
  expect(await edit(harness, post, second)).toMatchObject(expected);
});

test('an edit by a clock that went back takes no post off, though the client sends its time back', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', status: 'published' });
  harness.passTime(-HOUR);
  const changes = { title: 'New', ...published(0) };
  expect(await edit(harness, post, changes)).toMatchObject(changes);
});

test('what is published by a clock that is behind gets the time of the latest build', async () => {
  const harness = await createHarness();
  await beginAnnouncing(harness.store, START);
  harness.passTime(-9 * HOUR);
  for (const asked of [{ status: 'published' }, published(0)]) {
    const post = await create(harness, { title: 'T' });
    expect(await edit(harness, post, asked)).toMatchObject(published(0));
  }
  const post = await create(harness, { title: 'T' });
  expect(await edit(harness, post, scheduled(-HOUR))).toMatchObject(scheduled(-HOUR));
});

test.each([{ title: 'New' }, { title: 'New', status: 'sent', email_only: false }])(
  'an edit of another field does not publish what was sent: %j',
  async (changes) => {
    const harness = await createHarness();
    const id = harness.insert('posts', { status: 'sent', published_at: at(-HOUR) });
    const post = await read(harness, id);
    expect(await edit(harness, post, changes)).toMatchObject({ status: 'sent', title: 'New' });
    expect(await edit(harness, await read(harness, id), { status: 'published' })).toMatchObject({
      status: 'published',
    });
  },
);

test.each(
  [
    ['published', 1],
    ['published', 'perhaps'],
    ['scheduled', 1],
    ['draft', 1],
    ['sent', 0],
  ].filter(([, flag]) => isKept(flag)),
)('the address of what is %s with email_only %j is that of its e-mail', async (status, flag) => {
  const harness = await createHarness();
  const id = harness.insert('posts', { status, published_at: at(-HOUR) });
  harness.insert('posts_meta', { post_id: id, email_only: flag });
  const { url, uuid, email_only } = await read(harness, id);
  expect(url).toBe(`${SITE}/email/${uuid}/`);
  expect(email_only).toBe(flag !== 0);
  const parameters = { filter: 'email_only:true' };
  const { ids } = await browsePosts(harness.context, { type: 'post', parameters });
  expect(ids).toHaveLength(flag === 0 ? 0 : 1);
});

const REFUSALS: readonly [string, Payload, Payload, string, RegExp?][] = [
  ['scheduled without a time', {}, { status: 'scheduled' }, 'published_at'],
  ['scheduled in the past', {}, scheduled(-HOUR), 'published_at', /past, got 20.*Z\.$/],
  ['published to scheduled', { status: 'published' }, scheduled(9 * HOUR), 'status'],
  ['unknown status', {}, { status: 'gone' }, 'status'],
  ['unknown visibility', {}, { visibility: 'friends' }, 'visibility'],
  ['long title', {}, { title: 'x'.repeat(256) }, 'title'],
  ['title null', {}, { title: null }, 'title'],
  ['long excerpt', {}, { custom_excerpt: 'x'.repeat(301) }, 'custom_excerpt'],
  ['long alternative text', {}, { feature_image_alt: 'x'.repeat(192) }, 'feature_image_alt'],
  ['no author', {}, { authors: [] }, 'authors'],
  ['unknown tag id', {}, { tags: [{ id: 'f'.repeat(24) }] }, 'tags', /: f{24}\.$/],
  ['tag with a comma', {}, { tags: [',a'] }, 'tags'],
  [
    'unknown tier',
    {},
    { visibility: 'tiers', tiers: [{ id: 'f'.repeat(24) }] },
    'tiers',
    /: f{24}\.$/,
  ],
  ['editor format', {}, { lexical: '{"root":{}}' }, 'lexical'],
  ['NUL in a text', {}, { title: 'a\u0000b' }, 'title'],
  ['half a character', {}, { title: 'a\ud800b' }, 'title'],
  ['no time', {}, { published_at: 'tomorrow' }, 'published_at'],
  ['too late', {}, { published_at: '+010000-01-01T00:00:00.000Z' }, 'published_at'],
  ['updated_at missing', {}, { title: 'b', updated_at: undefined }, 'updated_at'],
];

test.each(REFUSALS)('refused: %s', async (_, first, second, property, says = /./) => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', ...first });
  const before = changesIn(harness);
  await expect(edit(harness, post, second)).rejects.toMatchObject({
    code: 'VALIDATION',
    property,
    message: expect.stringMatching(says),
  });
  expect(changesIn(harness)).toBe(before);
});

test('a save on an older state is refused and stores nothing, not even its new tags', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T' });
  await edit(harness, post, { title: 'Mine' });
  await expect(edit(harness, post, { title: 'Yours', tags: ['New'] })).rejects.toMatchObject({
    code: 'UPDATE_COLLISION',
    details: { changedFields: ['title', 'slug', 'tags'] },
  });
  expect(harness.shell.prepare('SELECT count(*) FROM tags').pluck().get()).toBe(0);
  harness.passTime(HOUR + 847);
  await edit(harness, post, { title: 'Ours', updated_at: null });
  for (const title of [at(HOUR).replace('.000', ''), at(HOUR)])
    expect(await edit(harness, post, { title, updated_at: title })).toMatchObject({ title });
});

test.each([
  ['tags', [{ slug: 'first' }], [{ slug: 'second' }]],
  ['authors', [{ slug: 'other' }], [{ slug: 'owner' }]],
  ['og_title', 'First', 'Second'],
])('%s alone leave the time of the post, and collide as all does', async (name, first, second) => {
  const harness = await createHarness();
  harness.insert('users', { name: 'Other', slug: 'other' });
  const post = await create(harness, { title: 'T' });
  harness.passTime(HOUR);
  for (const value of [first, second]) {
    const saved = await edit(harness, post, { [name]: value });
    expect(saved).toMatchObject({ [name]: value, updated_at: post.updated_at });
  }
  expect(await edit(harness, post, { title: 'U' })).toMatchObject({ updated_at: at(HOUR) });
  const stale = edit(harness, post, { [name]: first });
  await expect(stale).rejects.toMatchObject({ details: { changedFields: [name] } });
});

const publishDue = async ({ context }: Harness, id: string): Promise<void> => {
  const now = context.clock.now();
  await changeStatus(context.store, id, { from: 'scheduled', to: 'published', now });
};

test('what was read before the schedule published it can be saved, unless more has changed', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', ...scheduled(HOUR) });
  harness.passTime(HOUR);
  await publishDue(harness, post.id);
  expect(await edit(harness, post, { ...post })).toMatchObject({ title: 'T', ...published(HOUR) });
  harness.passTime(HOUR);
  const mended = await edit(harness, post, { ...post, title: 'U' });
  expect(mended).toMatchObject({ title: 'U', ...published(HOUR), updated_at: at(2 * HOUR) });
  const stale = edit(harness, post, { ...post, title: 'V', status: 'published' });
  await expect(stale).rejects.toMatchObject({ code: 'UPDATE_COLLISION' });
});

test('what was scheduled for later after the publisher found it due stays scheduled', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', ...scheduled(HOUR) });
  const later = await edit(harness, post, scheduled(9 * HOUR));
  harness.passTime(HOUR);
  await publishDue(harness, post.id);
  expect(await edit(harness, later, { title: 'U' })).toMatchObject(scheduled(9 * HOUR));
});

test('what was changed between reading and the schedule is not overwritten', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', ...scheduled(HOUR) });
  const newer = await edit(harness, post, { title: 'Mine' });
  harness.passTime(HOUR);
  await publishDue(harness, post.id);
  const stale = edit(harness, post, { title: 'Yours' });
  await expect(stale).rejects.toMatchObject({ code: 'UPDATE_COLLISION' });
  const moved = edit(harness, newer, { ...newer, ...scheduled(9 * HOUR) });
  await expect(moved).rejects.toMatchObject({ code: 'VALIDATION', property: 'status' });
  expect(await edit(harness, newer, { status: 'draft' })).toMatchObject({ status: 'draft' });
});

const ADDRESSES: readonly [string, boolean][] = [
  ['https://x.example/a%20b.png?c=d&e[]=f#g', true],
  ['/content/images/a.png', true],
  ['../a.png', true],
  ['//x.example/a.png', true],
  ['mailto:a@x.example', true],
  ['https://x.example/a b.png', false],
  [`${SITE}/a b.png`, false],
  ['https://x.example/ä.png', false],
  ['https://x.example/%zz', false],
  ['https://x.example:port/', false],
  ['<script>', false],
];

test.each(['feature_image', 'canonical_url', 'og_image', 'twitter_image'])(
  '%s is an address, but for one that is stored already',
  async (name) => {
    const harness = await createHarness();
    const post = await create(harness, { title: 'T' });
    for (const [url, isTaken] of ADDRESSES) {
      const save = () => edit(harness, post, { [name]: url, updated_at: null });
      const make = () => createTag(harness.context, { name: 'T', [name]: url });
      const message = expect.stringContaining(`got "${url}"`);
      const refused = { code: 'VALIDATION', property: name, message };
      for (const saves of [save, make]) {
        if (isTaken) await expect(saves(), url).resolves.toBeDefined();
        else await expect(saves(), url).rejects.toMatchObject(refused);
      }
    }
    const table = name.includes('_image') && name !== 'feature_image' ? 'posts_meta' : 'posts';
    const key = table === 'posts' ? 'id' : 'post_id';
    harness.shell.prepare(`UPDATE ${table} SET ${name} = 'a b' WHERE ${key} = ?`).run(post.id);
    const old = await read(harness, post.id);
    expect(await edit(harness, old, { ...old, title: 'U' })).toMatchObject({ [name]: 'a b' });
  },
);

test('a save that changes nothing writes nothing, also from an older state', async () => {
  const harness = await createHarness();
  const post = await create(harness, {
    title: 'T',
    html: `<p><a href="${SITE}/x/">x</a></p>`,
    tags: ['A', 'B'],
    og_title: 'og',
    status: 'published',
  });
  const before = changesIn(harness);
  harness.passTime(HOUR);
  const again = await edit(harness, post, { ...post });
  expect(again).toEqual(post);
  await edit(harness, post, { title: 'T', updated_at: at(-HOUR) });
  expect(changesIn(harness)).toBe(before);
});

test.skipIf(isOnPostgres)('a save is one action, and links that stay are not written', async () => {
  const harness = await createHarness();
  const post = await create(harness, { title: 'T', tags: ['A', 'B'] });
  const before = changesIn(harness);
  await edit(harness, post, { title: 'U', tags: ['A', 'C'], meta_title: 'm' });
  const rows = harness.shell
    .prepare('SELECT entity, op, action FROM changes WHERE seq > ? ORDER BY seq')
    .all(before) as { entity: string; op: string; action: string }[];
  expect(rows.map(({ entity, op }) => `${entity} ${op}`).sort()).toEqual([
    'posts u',
    'posts_meta i',
    'posts_tags d',
    'posts_tags i',
    'tags i',
  ]);
  expect(new Set(rows.map(({ action }) => action)).size).toBe(1);
});

test('tags are found by id, slug and name, or made; internal ones get their prefix', async () => {
  const harness = await createHarness();
  const known = harness.insert('tags', { name: 'News', slug: 'news' });
  const post = await create(harness, {
    title: 'T',
    tags: ['#Hidden', { name: 'nEWS' }, { id: known }, { slug: 'news' }, { name: 'Brand new' }],
  });
  expect(post.tags.map(({ name, slug, visibility }) => [name, slug, visibility])).toEqual([
    ['#Hidden', 'hash-hidden', 'internal'],
    ['News', 'news', 'public'],
    ['Brand new', 'brand-new', 'public'],
  ]);
  expect(post.primary_tag).toBeNull();
});

test('tags of another site, with ids that are unknown here, are found or made by slug and name', async () => {
  const harness = await createHarness();
  const known = harness.insert('tags', { name: 'News', slug: 'news' });
  const post = await create(harness, {
    title: 'T',
    tags: [
      { id: 'e'.repeat(24), name: 'News', slug: 'news' },
      { id: 'f'.repeat(24), name: 'Their own', slug: 'own' },
    ],
  });
  expect(post.tags[0]?.id).toBe(known);
  expect(post.tags[1]).toMatchObject({ name: 'Their own', slug: 'own' });
});

test('authors are found by id, slug and e-mail; an unknown one is the owner', async () => {
  const harness = await createHarness();
  const ann = harness.insert('users', { name: 'Ann', slug: 'ann', email: 'ann@example.com' });
  const named = async (authors: unknown): Promise<unknown[]> =>
    (await create(harness, { title: 'T', authors })).authors.map(({ id }) => id);
  expect(await named([' ANN@example.com '])).toEqual([ann]);
  expect(await named([{ email: 'ANN@example.com' }])).toEqual([ann]);
  expect(await named([ann])).toEqual([ann]);
  expect(await named([{ slug: 'ann' }, { id: harness.owner }])).toEqual([ann, harness.owner]);
  expect(await named([{ id: 'f'.repeat(24) }])).toEqual([harness.owner]);
});

test('own addresses are stored with a placeholder and shown absolute', async () => {
  const harness = await createHarness();
  const post = await create(harness, {
    title: 'T',
    html: `<img src="/content/images/a.png" srcset="/a.png 1x, ${SITE}/b.png 2x"><a href="//cdn.example/">c</a><code><a href="/x"></code><a href="https://news.example.org/">o</a>`,
    feature_image: `${SITE}/content/images/f.png`,
  });
  const row = harness.shell.prepare('SELECT html, feature_image FROM posts').get();
  expect(row).toEqual({
    html: '<img src="__GHOST_URL__/content/images/a.png" srcset="__GHOST_URL__/a.png 1x, __GHOST_URL__/b.png 2x"><a href="//cdn.example/">c</a><code><a href="/x"></code><a href="https://news.example.org/">o</a>',
    feature_image: '__GHOST_URL__/content/images/f.png',
  });
  expect(post.feature_image).toBe(`${SITE}/content/images/f.png`);
});

test('script elements stay only inside html cards', async () => {
  const harness = await createHarness();
  const card = '<!--kg-card-begin: html--><script>a</script><!--kg-card-end: html-->';
  const post = await create(harness, {
    title: 'T',
    html: `<p>1</p><SCRIPT src="x">b</script >${card}<!--members-only--><p>2</p><script>c`,
  });
  expect(post.html).toBe(`<p>1</p>${card}<!--members-only--><p>2</p>`);
});

test('markup too deep for a build is refused', async () => {
  const post = { title: 'T', html: '<div>'.repeat(50_000) };
  await expect(create(await createHarness(), post)).rejects.toMatchObject({
    code: 'VALIDATION',
    property: 'html',
    message: 'html has elements nested more than 1000 deep.',
  });
});

test('html without source=html is ignored', async () => {
  const { context } = await createHarness();
  const input = parseInput(postCreateInput, { title: 'T', html: '<p>a</p>' });
  const id = await createPost(context, { type: 'post', input }, { sourceHtml: false });
  expect(await readPost(context, { type: 'post', id })).toMatchObject({ html: null });
});

test('a page is not found as a post, nor deleted as one', async () => {
  const harness = await createHarness();
  const page = await create(harness, { title: 'About' }, 'page');
  await expect(read(harness, page.id)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Post not found.',
  });
  const remove = (type: PostType): Promise<void> =>
    deletePost(harness.context, { type, id: page.id });
  await expect(remove('post')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await remove('page');
  await expect(remove('page')).rejects.toMatchObject({ message: 'Page not found.' });
});

test('lists show scheduled, then drafts, then the rest, page by page', async () => {
  const harness = await createHarness();
  for (const [title, status] of [
    ['p', 'published'],
    ['d', 'draft'],
    ['s', 'scheduled'],
  ]) {
    await create(harness, {
      title,
      status,
      published_at: status === 'scheduled' ? at(HOUR) : null,
    });
  }
  const list = async (limit: string, page: string) => {
    const parameters = { limit, page };
    const { ids, pagination } = await browsePosts(harness.context, { type: 'post', parameters });
    const posts = await readPosts(harness.context, { type: 'post', ids });
    return [posts.map(({ title }) => title), pagination.next, pagination.prev, pagination.pages];
  };
  expect(await list('2', '1')).toEqual([['s', 'd'], 2, null, 2]);
  expect(await list('2', '2')).toEqual([['p'], null, 1, 2]);
  expect(await list('all', '9')).toEqual([[], null, 1, 1]);
});
