// A publish by every writer there is: the admin interface, the command line, plain SQL and the clock.
// Each leads to the files that differ and to no other, and to one signed POST at a receiver that can read
// the new content at that moment.

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isBlob } from '../../src/base/packed-names.ts';
import type { SqliteConnection } from '../../src/sqlite/driver.ts';
import { inOneBuild } from '../helpers/in-one-build.ts';
import { withPreload } from '../helpers/preload.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import {
  CONTENT,
  copyPublication,
  openShell,
  RECEIVER_ALLOWED,
  type Serving,
  serve,
} from '../helpers/serve.ts';
import { readPost, type Subscriber, startSubscriber } from '../helpers/subscriber.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { parseFile, readStamps, readTree } from '../helpers/tree.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', 'https://site.test']);
  await prepress(template, ['build']);
  return folder.remove;
});

/** The draft of the sample, its tags and its author; its links are listed already. */
const DRAFT = 'notes-towards-an-issue-about-silt';
const TAGS = ['field-notes', 'harbours'];
const AUTHOR = 'callum-orr';

type Scene = {
  readonly serving: Serving;
  readonly shell: SqliteConnection;
  readonly subscriber: Subscriber;
  readonly id: string;
  readonly content: string;
  readonly before: Map<string, string>;
};

const EVENTS = ['post.published', 'site.changed'];

const openScene = async (events: readonly string[] = EVENTS): Promise<Scene> => {
  const folder = copyPublication(template);
  const serving = await serve(folder);
  const subscriber = await startSubscriber(readPost(serving));
  await subscriber.subscribe(serving, events);
  const shell = openShell(folder);
  const content = join(folder, CONTENT);
  return {
    serving,
    shell,
    subscriber,
    content,
    id: idOf(shell, 'posts', DRAFT),
    before: readStamps(content),
  };
};

const idOf = (shell: SqliteConnection, table: string, slug: string): string =>
  shell.prepare(`SELECT id FROM ${table} WHERE slug = ?`).pluck().get(slug) as string;

/** Names of the files that were written or made since `before`, and of those that are gone; but blobs. */
const changesSince = ({ content, before }: Pick<Scene, 'content' | 'before'>) => {
  const now = readStamps(content);
  return {
    written: [...now]
      .filter(([name, stamp]) => before.get(name) !== stamp && !isBlob(name))
      .map(([name]) => name),
    removed: [...before.keys()].filter((name) => !now.has(name) && !isBlob(name)),
  };
};

const filesOf = (root: string, names: readonly string[], variants: readonly string[]): string[] =>
  names.flatMap((name) => variants.map((variant) => join(root, name, `${variant}.json`)));

const pagesOf = (root: string, variants: readonly string[]): string[] =>
  variants.map((name) => `${root}/page-2${name === 'index' ? '' : `-${name}`}.json`);

const POST_VARIANTS = ['authors', 'authors-tags', 'index', 'tags'];
const postFiles = (id: string, slug: string): string[] =>
  filesOf('posts', [id, `slug/${slug}`], POST_VARIANTS);

/** What differs when the draft is published or taken back, beside its own files. */
const filesAroundDraft = (shell: SqliteConnection): string[] => [
  'manifest.json',
  'packed/root.json',
  'search-index/posts/index.json',
  ...filesOf('posts', [''], POST_VARIANTS),
  // The page after the last one says how many there are.
  ...pagesOf('posts', POST_VARIANTS),
  ...filesOf('tags', [''], ['count-posts', 'public-count-posts']),
  ...filesOf(
    'tags',
    TAGS.flatMap((slug) => [idOf(shell, 'tags', slug), `slug/${slug}`]),
    ['count-posts'],
  ),
  ...filesOf('authors', ['', idOf(shell, 'users', AUTHOR), `slug/${AUTHOR}`], ['count-posts']),
];

const draftPublished = (scene: Scene) => ({
  written: [...postFiles(scene.id, DRAFT), ...filesAroundDraft(scene.shell)].sort(),
  removed: [],
});

const setStatus = async (serving: Serving, id: string, fields: object): Promise<void> => {
  const { posts } = (await serving.admin('GET', `/posts/${id}/`)) as {
    posts: { updated_at: string }[];
  };
  const updated_at = posts[0]?.updated_at;
  await serving.admin('PUT', `/posts/${id}/`, { posts: [{ ...fields, updated_at }] });
};

/** One POST of post.published, which could read the post, and one of site.changed. */
const expectAnnounced = async ({ subscriber, id }: Scene): Promise<void> => {
  await subscriber.settle('site.changed', 1);
  expect(await subscriber.settle('post.published', 1)).toMatchObject([
    {
      record: { id, status: 'published', slug: DRAFT },
      seen: { status: 200, post: { id, slug: DRAFT } },
    },
  ]);
  expect(subscriber.of('site.changed')).toHaveLength(1);
};

const PUBLISH = "UPDATE posts SET status = 'published' WHERE slug = ?";

describe('a publish while the server runs', () => {
  test.each<[string, (scene: Scene) => Promise<unknown>]>([
    [
      'through the admin interface',
      ({ serving, id }) => setStatus(serving, id, { status: 'published' }),
    ],
    [
      'on the command line',
      // The receiver is allowed to the server alone, which therefore has to be the one that delivers.
      ({ serving }) => prepress(serving.folder, ['publish', DRAFT]),
    ],
    ['through plain SQL', async ({ shell }) => shell.prepare(PUBLISH).run(DRAFT)],
  ])('%s writes what differs and sends one POST', async (_, publish) => {
    const scene = await openScene();
    await publish(scene);
    await expectAnnounced(scene);
    expect(changesSince(scene)).toEqual(draftPublished(scene));
    const { posts } = parseFile(scene.content, 'posts/index.json') as { posts: object[] };
    expect(posts[0]).toMatchObject({ slug: DRAFT });
  });

  test('of a post with a tag that was not listed makes the files of the tag', async () => {
    const scene = await openScene();
    const { shell } = scene;
    const tag = insertRow(shell, 'tags', { name: 'Silt', slug: 'silt' });
    shell
      .prepare('UPDATE posts_tags SET tag_id = ? WHERE post_id = ? AND tag_id = ?')
      .run(tag, scene.id, idOf(shell, 'tags', TAGS[0] ?? ''));
    await scene.subscriber.settle('post.published', 0);
    expect(changesSince(scene)).toEqual({ written: [], removed: [] });
    shell.prepare(PUBLISH).run(DRAFT);
    await expectAnnounced(scene);
    const unlisted = filesOf(
      'tags',
      [idOf(shell, 'tags', TAGS[0] ?? ''), `slug/${TAGS[0]}`],
      ['count-posts'],
    );
    expect(changesSince(scene).written).toEqual(
      [
        ...draftPublished(scene).written.filter((name) => !unlisted.includes(name)),
        ...filesOf('tags', [tag, 'slug/silt'], ['index', 'count-posts']),
        ...filesOf('tags', [''], ['index', 'public']),
        ...pagesOf('tags', ['index', 'public', 'count-posts', 'public-count-posts']),
        'search-index/tags/index.json',
      ].sort(),
    );
  });
});

test('three posts of one build are three POSTs and one site.changed', async () => {
  const { serving, shell, subscriber } = await openScene();
  const ids = [1, 2, 3].map(() => insertRow(shell, 'posts', {}));
  await subscriber.settle('post.published', 0);
  const publish = shell.prepare("UPDATE posts SET status = 'published' WHERE id = ?");
  await inOneBuild(serving.folder, () => {
    for (const id of ids) publish.run(id);
  });
  const published = await subscriber.settle('post.published', 3);
  expect(published.map(({ record }) => record.id).sort()).toEqual([...ids].sort());
  expect(new Set(published.map(({ id }) => id)).size).toBe(3);
  for (const { seen } of published) expect(seen).toMatchObject({ status: 200 });
  const [generation, ...more] = new Set(published.map((one) => one.generation));
  expect(more).toEqual([]);
  expect(await subscriber.settle('site.changed', 1)).toMatchObject([{ generation }]);
});

test('site.changed comes once for each generation, and not for a draft', async () => {
  const { shell, subscriber } = await openScene();
  const retitle = shell.prepare('UPDATE posts SET title = ? WHERE slug = ?');
  for (const count of [1, 2, 3]) {
    retitle.run(`Title ${count}`, 'the-foghorn-tuner');
    await subscriber.settle('site.changed', count);
  }
  retitle.run('Title 4', DRAFT);
  const changes = await subscriber.settle('site.changed', 3);
  const [first = 0] = changes.map(({ generation }) => generation);
  expect(changes.map(({ generation }) => generation)).toEqual([first, first + 1, first + 2]);
});

test('unpublishing and deleting remove the files before the POST tells it', async () => {
  const scene = await openScene(['post.unpublished', 'post.deleted', 'site.changed']);
  const { serving, subscriber, shell, id } = scene;
  shell.prepare(PUBLISH).run(DRAFT);
  await subscriber.settle('site.changed', 1);
  const published = { ...scene, before: readStamps(scene.content) };
  await setStatus(serving, id, { status: 'draft' });
  const [unpublished] = await subscriber.settle('post.unpublished', 1);
  expect(unpublished).toMatchObject({ record: { id }, seen: { status: 404 } });
  expect(changesSince(published)).toEqual({
    written: filesAroundDraft(shell).sort(),
    removed: postFiles(id, DRAFT).sort(),
  });
  expect(
    (await serving.get(`/content/posts/slug/${DRAFT}/?key=${serving.contentKey}`)).status,
  ).toBe(404);
  const other = idOf(shell, 'posts', 'the-foghorn-tuner');
  await serving.admin('DELETE', `/posts/${other}/`);
  const [deleted] = await subscriber.settle('post.deleted', 1);
  expect(deleted).toMatchObject({ record: { id: other }, seen: { status: 404 } });
  const taken = await subscriber.settle('post.unpublished', 2);
  expect(taken.map(({ record }) => record.id)).toEqual([id, other]);
  expect(changesSince(published).removed).toEqual(
    expect.arrayContaining(postFiles(other, 'the-foghorn-tuner')),
  );
});

const A_MINUTE_MS = 60_000;

describe('a scheduled post', () => {
  const schedule = (shell: SqliteConnection, id: string, at: number): void => {
    shell
      .prepare("UPDATE posts SET status = 'scheduled', published_at = ? WHERE id = ?")
      .run(new Date(at).toISOString(), id);
  };

  test('is published at its time', async () => {
    const scene = await openScene();
    const at = Date.now() + 2_000;
    schedule(scene.shell, scene.id, at);
    await expectAnnounced(scene);
    const [published] = scene.subscriber.of('post.published');
    expect(published?.at).toBeGreaterThanOrEqual(at);
    expect(published?.record.published_at).toBe(new Date(at).toISOString());
    expect(changesSince(scene)).toEqual(draftPublished(scene));
  });

  test('is published by the next start when the server was down at its time', async () => {
    const scene = await openScene();
    const { serving, subscriber } = scene;
    const at = Date.now() + 2 * A_MINUTE_MS;
    schedule(scene.shell, scene.id, at);
    expect(await serving.end()).toBe(0);
    expect(changesSince(scene)).toEqual({ written: [], removed: [] });
    // Its clock is past that time. A signature may be five minutes old.
    const late = `const { now } = Date; Date.now = () => now() + ${4 * A_MINUTE_MS};`;
    const second = await serve(serving.folder, {
      args: ['--port', portOf(serving)],
      environment: withPreload(serving.folder, late),
    });
    expect(second.url).toBe(serving.url);
    await expectAnnounced(scene);
    expect(subscriber.of('post.published')[0]?.record.published_at).toBe(
      new Date(at).toISOString(),
    );
    expect(changesSince(scene)).toEqual(draftPublished(scene));
  });

  /** The receiver reads at the address it knows. */
  const portOf = ({ url }: Serving): string => new URL(url).port;
});

test('prepress publish refuses a post that is e-mail only, and status names one that is due', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  const post_id = idOf(shell, 'posts', DRAFT);
  shell.prepare('DELETE FROM posts_meta WHERE post_id = ?').run(post_id);
  insertRow(shell, 'posts_meta', { post_id, email_only: 'perhaps' });
  const refused = async (): Promise<string> => {
    const finished = await runPrepress(folder, ['publish', DRAFT]);
    expect(finished.code).toBe(1);
    return finished.stderr;
  };
  expect(await refused()).toContain(
    `The post "${DRAFT}" is e-mail only, and the web never shows it.`,
  );
  const set = shell.prepare('UPDATE posts SET status = ?, published_at = ? WHERE id = ?');
  set.run('scheduled', '2026-01-01T10:00:00.000Z', post_id);
  await prepress(folder, ['build']);
  const sentence = `The post "${DRAFT}" stays scheduled after 2026-01-01T10:00:00.000Z: it is e-mail only, and Prepress sends no newsletters.`;
  expect(await prepress(folder, ['status'])).toContain(sentence);
  expect(JSON.parse(await prepress(folder, ['status', '--json']))).toMatchObject({
    held_posts: [sentence],
  });
  set.run('sent', '2026-01-01T10:00:00.000Z', post_id);
  shell.exec('UPDATE posts_meta SET email_only = 0');
  expect(await refused()).toContain(`The post "${DRAFT}" was sent by e-mail only.`);
  await prepress(folder, ['unpublish', DRAFT]);
  await prepress(folder, ['publish', DRAFT]);
  expect(readTree(join(folder, CONTENT)).has(`posts/slug/${DRAFT}/index.json`)).toBe(true);
});

test('prepress publish without a server builds and delivers by itself', async () => {
  const { serving, ...scene } = await openScene([]);
  // It stands in for the host that serves the tree; a receiver can look at the files all the same.
  const files = await startSubscriber(async ({ slug }) =>
    slug === undefined ? null : parseFile(scene.content, `posts/slug/${slug}/index.json`),
  );
  await files.subscribe(serving, EVENTS);
  expect(await serving.end()).toBe(0);
  const printed = await prepress(serving.folder, ['publish', DRAFT, '--json'], {
    environment: RECEIVER_ALLOWED,
  });
  expect(JSON.parse(printed)).toMatchObject({
    id: scene.id,
    status: 'published',
    deliveries: { tried: 2, succeeded: 2 },
  });
  expect(files.of('post.published')).toMatchObject([{ seen: { posts: [{ slug: DRAFT }] } }]);
  expect(files.of('site.changed')).toHaveLength(1);
  expect(changesSince(scene)).toEqual(draftPublished({ serving, ...scene }));
  const kept = async (): Promise<number> =>
    JSON.parse(await prepress(serving.folder, ['status', '--json'])).kept_blobs.files;
  expect(await kept()).toBeGreaterThan(5);
  await prepress(serving.folder, ['unpublish', DRAFT], { environment: RECEIVER_ALLOWED });
  expect(await kept()).toBe(0);
  expect(changesSince(scene).written).toEqual(filesAroundDraft(scene.shell).sort());
  await serve(serving.folder);
  await files.settle('site.changed', 2);
  expect(files.of('post.published')).toHaveLength(1);
});
