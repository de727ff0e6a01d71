// A publish by every writer there is: the admin interface, the command line, plain SQL and the clock, with one server.
// Each leads to the files that differ and to no other, and to one signed POST at a receiver that can read the new content
// at that moment.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { isBlob } from '../../src/content/tree/names.ts';
import { untilDelivered } from '../battery/outbox-state.ts';
import { eventually } from '../helpers/eventually.ts';
import { inOneBuild } from '../helpers/in-one-build.ts';
import { withPreload } from '../helpers/preload.ts';
import { type Listener, listenForDeliveries } from '../helpers/receiver.ts';
import { insertRow } from '../helpers/rows.ts';
import { prepress } from '../helpers/run-prepress.ts';
import {
  CONTENT,
  DATABASE,
  RECEIVER_ALLOWED,
  type Serving,
  startServing,
} from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile, readStatKeys } from '../helpers/tree-files.ts';

/** The draft of the sample, its tags and its author; its links are listed already. */
const DRAFT = 'notes-towards-an-issue-about-silt';
const TAGS = ['field-notes', 'harbours'];
const AUTHOR = 'callum-orr';
const LISTED = 'the-foghorn-tuner';
const EVENTS = ['post.published', 'post.unpublished', 'post.deleted', 'site.changed'];

const suite = suiteFolder();
let folder = '';
let content = '';
let serving: Serving;
/** A server delivers before it is known to have started. */
let starting: Promise<Serving>;
let shell: SqliteConnection;
let listener: Listener;
/** Reads the post that a POST names, as a receiver does before it answers. */
let look: (id: string) => Promise<unknown>;

type Told = {
  readonly event: string;
  readonly generation: number;
  readonly at: number;
  /** The post that it names, as it is, or as it was. */
  readonly post: Readonly<Record<string, unknown>>;
  readonly seen: unknown;
};
const told: Told[] = [];

type Body = Pick<Told, 'event' | 'generation'> & {
  readonly post?: Readonly<Record<'current' | 'previous', Told['post']>>;
};

const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  starting = startServing(folder, { environment });
  serving = await starting;
};

const readServed = async (id: string): Promise<unknown> => {
  const { get, contentKey } = await starting;
  const response = await get(`/content/posts/${id}/?key=${contentKey}`);
  const { posts } = (await response.json()) as { posts?: { id: string }[] };
  return [response.status, posts?.[0]?.id];
};

beforeAll(async () => {
  folder = suite.path;
  content = join(folder, CONTENT);
  writeFileSync(join(folder, 'prepress.config.json'), '{"lists.pages": "all"}');
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  await start();
  shell = new (loadDriver())(join(folder, DATABASE), { timeout: 60_000 });
  listener = await listenForDeliveries();
  look = readServed;
  listener.respond = (response, { body, at }) => {
    const { event, generation, post } = body as Body;
    const shown = (post?.current.id === undefined ? post?.previous : post.current) ?? {};
    const looked = shown.id === undefined ? Promise.resolve(null) : look(String(shown.id));
    looked
      .then((seen) => told.push({ event, generation, at, post: shown, seen }))
      .catch((error: unknown) => listener.faults.push(error))
      .finally(() => response.writeHead(200).end('ok'));
  };
  for (const event of EVENTS) await listener.subscribe(serving as never, event);
});

afterAll(async () => {
  await serving.end();
  shell.close();
  await listener.close();
  suite.remove();
});

/** What `work` led to once all was told: POSTs by event, and files that were written or removed, but blobs. */
const resultOf = async (work: () => unknown) => {
  await untilDelivered(shell);
  const [skip, before] = [told.length, readStatKeys(content)];
  await work();
  await untilDelivered(shell);
  const now = readStatKeys(content);
  expect(listener.faults).toEqual([]);
  return {
    told: told.slice(skip).sort((a, b) => (a.event < b.event ? -1 : 1)),
    files: {
      written: [...now.keys()].filter(
        (name) => before.get(name) !== now.get(name) && !isBlob(name),
      ),
      removed: [...before.keys()].filter((name) => !now.has(name) && !isBlob(name)),
    },
  };
};

const idOf = (table: string, slug: string): string =>
  shell.prepare(`SELECT id FROM ${table} WHERE slug = ?`).pluck().get(slug) as string;

const filesOf = (root: string, names: readonly string[], variants: readonly string[]): string[] =>
  names.flatMap((name) => variants.map((variant) => join(root, name, `${variant}.json`)));

const pagesOf = (root: string, variants: readonly string[]): string[] =>
  variants.map((name) => `${root}/page-2${name === 'index' ? '' : `-${name}`}.json`);

const POST_VARIANTS = ['authors', 'authors-tags', 'index', 'tags'];
const postFiles = (id: string, slug: string): string[] =>
  filesOf('posts', [id, `slug/${slug}`], POST_VARIANTS).sort();

/** What differs when the draft is published or taken back, beside its own files. */
const filesAroundDraft = (): string[] =>
  [
    'manifest.json',
    'packed/root.json',
    'search-index/posts/index.json',
    ...filesOf('posts', [''], POST_VARIANTS),
    // The page after the last one says how many there are.
    ...pagesOf('posts', POST_VARIANTS),
    ...filesOf('tags', [''], ['count-posts', 'public-count-posts']),
    ...filesOf(
      'tags',
      TAGS.flatMap((slug) => [idOf('tags', slug), `slug/${slug}`]),
      ['count-posts'],
    ),
    ...filesOf('authors', ['', idOf('users', AUTHOR), `slug/${AUTHOR}`], ['count-posts']),
  ].sort();

const setStatus = async (id: string, status: string): Promise<void> => {
  const { posts } = (await serving.admin('GET', `/posts/${id}/`)) as {
    posts: [{ updated_at: string }];
  };
  const [{ updated_at }] = posts;
  await serving.admin('PUT', `/posts/${id}/`, { posts: [{ status, updated_at }] });
};
const setBySql = (id: string, status: string): void =>
  void shell.prepare('UPDATE posts SET status = ? WHERE id = ?').run(status, id);
// The receiver is allowed to the server alone, which therefore has to be the one that delivers.
const byCommand = (_id: string, status: string): Promise<string> =>
  prepress(folder, [status === 'draft' ? 'unpublish' : 'publish', DRAFT]);

describe('with a server', () => {
  test.each([
    ['through the admin interface', setStatus, setBySql],
    ['on the command line', byCommand, setStatus],
    ['through plain SQL', setBySql, byCommand],
  ])('a publish %s and its undoing write what differs and are told once', async (...row) => {
    const [, publish, undo] = row;
    const id = idOf('posts', DRAFT);
    const published = await resultOf(() => publish(id, 'published'));
    expect(published.told).toMatchObject([
      {
        event: 'post.published',
        post: { id, status: 'published', slug: DRAFT },
        seen: [200, id],
      },
      { event: 'site.changed' },
    ]);
    expect(published.files).toEqual({
      written: [...postFiles(id, DRAFT), ...filesAroundDraft()].sort(),
      removed: [],
    });
    const { posts } = parseFile(content, 'posts/index.json') as { posts: object[] };
    expect(posts[0]).toMatchObject({ slug: DRAFT });
    const undone = await resultOf(() => undo(id, 'draft'));
    expect(undone.told).toMatchObject([
      { event: 'post.unpublished', post: { id }, seen: [404, undefined] },
      { event: 'site.changed' },
    ]);
    expect(undone.files).toEqual({ written: filesAroundDraft(), removed: postFiles(id, DRAFT) });
    const bySlug = `/content/posts/slug/${DRAFT}/?key=${serving.contentKey}`;
    expect((await serving.get(bySlug)).status).toBe(404);
  });

  test('a tag that was not listed gets its files with its first post, and a draft changes none', async () => {
    const id = idOf('posts', DRAFT);
    const listed = idOf('tags', TAGS[0] ?? '');
    let tag = '';
    const moved = await resultOf(() => {
      tag = insertRow(shell, 'tags', { name: 'Silt', slug: 'silt' });
      shell
        .prepare('UPDATE posts_tags SET tag_id = ? WHERE post_id = ? AND tag_id = ?')
        .run(tag, id, listed);
      shell.prepare("UPDATE posts SET title = 'Silt' WHERE id = ?").run(id);
    });
    expect(moved).toEqual({ told: [], files: { written: [], removed: [] } });
    const published = await resultOf(() => setBySql(id, 'published'));
    const unlisted = filesOf('tags', [listed, `slug/${TAGS[0]}`], ['count-posts']);
    expect(published.files.written).toEqual(
      [
        ...postFiles(id, DRAFT),
        ...filesAroundDraft().filter((name) => !unlisted.includes(name)),
        ...filesOf('tags', [tag, 'slug/silt'], ['index', 'count-posts']),
        ...filesOf('tags', [''], ['index', 'public']),
        ...pagesOf('tags', ['index', 'public', 'count-posts', 'public-count-posts']),
        'search-index/tags/index.json',
      ].sort(),
    );
  });

  test('three posts of one build are three POSTs and one site.changed', async () => {
    const ids = [1, 2, 3].map(() => insertRow(shell, 'posts', {})).sort();
    const result = await resultOf(() =>
      inOneBuild(folder, () => {
        for (const id of ids) setBySql(id, 'published');
      }),
    );
    const published = result.told.filter(({ event }) => event === 'post.published');
    expect(published.map(({ post }) => post.id).sort()).toEqual(ids);
    for (const { post, seen } of published) expect(seen).toEqual([200, post.id]);
    expect(result.told.map(({ event }) => event).slice(3)).toEqual(['site.changed']);
    expect(new Set(result.told.map(({ generation }) => generation)).size).toBe(1);
  });

  test('site.changed comes once for each generation', async () => {
    const retitle = shell.prepare('UPDATE posts SET title = ? WHERE slug = ?');
    const generations: number[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      const result = await resultOf(() => retitle.run(title, LISTED));
      expect(result.told.map(({ event }) => event)).toEqual(['site.changed']);
      generations.push(...result.told.map(({ generation }) => generation));
    }
    const [first = 0] = generations;
    expect(generations).toEqual([first, first + 1, first + 2]);
  });

  test('deleting removes the files before the POST tells it', async () => {
    const id = idOf('posts', LISTED);
    const result = await resultOf(() => serving.admin('DELETE', `/posts/${id}/`));
    expect(result.told).toMatchObject([
      { event: 'post.deleted', post: { id }, seen: [404, undefined] },
      { event: 'post.unpublished', post: { id }, seen: [404, undefined] },
      { event: 'site.changed' },
    ]);
    expect(result.files.removed).toEqual(expect.arrayContaining(postFiles(id, LISTED)));
  });
});

const schedule = (slug: string, at: number): string =>
  insertRow(shell, 'posts', {
    slug,
    status: 'scheduled',
    published_at: new Date(at).toISOString(),
  });

test('a scheduled post is published at its time', async () => {
  const at = Date.now() + 1_000;
  let id = '';
  const status = shell.prepare('SELECT status FROM posts WHERE id = ?').pluck();
  const result = await resultOf(async () => {
    id = schedule('timed', at);
    await eventually(() => expect(status.get(id)).toBe('published'));
  });
  const [published] = result.told;
  expect(published).toMatchObject({
    event: 'post.published',
    post: { id, published_at: new Date(at).toISOString() },
    seen: [200, id],
  });
  expect(published?.at).toBeGreaterThanOrEqual(at);
  expect(result.files.written).toEqual(expect.arrayContaining(postFiles(id, 'timed')));
});

test('prepress publish without a server builds and delivers by itself', async () => {
  // A host serves the tree; a receiver can look at the files all the same.
  look = async (id) =>
    (parseFile(content, `posts/${id}/index.json`) as { posts: [{ slug: string }] }).posts[0].slug;
  const id = insertRow(shell, 'posts', { slug: 'alone' });
  await untilDelivered(shell);
  expect(await serving.end()).toBe(0);
  let printed = '';
  const run = (command: string) => async (): Promise<void> => {
    const args = [command, 'alone', '--json'];
    printed = await prepress(folder, args, { environment: RECEIVER_ALLOWED });
  };
  const published = await resultOf(run('publish'));
  expect(JSON.parse(printed)).toMatchObject({
    id,
    status: 'published',
    deliveries: { tried: 2, succeeded: 2 },
  });
  expect(published.told).toMatchObject([
    { event: 'post.published', seen: 'alone' },
    { event: 'site.changed' },
  ]);
  const kept = async (): Promise<number> =>
    JSON.parse(await prepress(folder, ['status', '--json'])).kept_blobs.files;
  expect(await kept()).toBeGreaterThan(5);
  look = async () => null;
  const undone = await resultOf(run('unpublish'));
  expect(undone.told.map(({ event }) => event)).toEqual(['post.unpublished', 'site.changed']);
  expect(undone.files.removed).toEqual(postFiles(id, 'alone'));
  expect(await kept()).toBe(0);
  look = readServed;
  expect((await resultOf(() => start())).told).toEqual([]);
});

const A_MINUTE_MS = 60_000;

// The last one: for a clock that is right, its post is published too early.
test('a scheduled post is published by the next start when the server was down at its time', async () => {
  const at = Date.now() + 2 * A_MINUTE_MS;
  let id = '';
  const early = await resultOf(async () => {
    id = schedule('missed', at);
    await untilDelivered(shell);
    expect(await serving.end()).toBe(0);
  });
  expect(early).toEqual({ told: [], files: { written: [], removed: [] } });
  // Its clock is past that time. A signature may be five minutes old.
  const late = `const { now } = Date; Date.now = () => now() + ${4 * A_MINUTE_MS};`;
  const result = await resultOf(() => start(withPreload(folder, late)));
  expect(result.told).toMatchObject([
    {
      event: 'post.published',
      post: { id, published_at: new Date(at).toISOString() },
      seen: [200, id],
    },
    { event: 'site.changed' },
  ]);
});
