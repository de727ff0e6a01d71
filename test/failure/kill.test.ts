// SIGKILL at random moments of builds and of publishes. While it happens every file that a reader finds is
// whole; after a restart the tree is that of a clean build, nothing staged is left, and no event is lost.
// PREPRESS_KILLS makes the run as long as wanted, PREPRESS_SEED repeats one.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { SqliteConnection } from '../../src/store/sqlite/driver.ts';
import {
  type Durations,
  formatDurations,
  measureBuild,
  randomMoment,
  watchBuild,
} from '../helpers/build-moments.ts';
import { cleanTree, expectTree, SITE } from '../helpers/clean-tree.ts';
import { insertRow } from '../helpers/publication.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { prepress, spawnPrepress } from '../helpers/run-prepress.ts';
import {
  CONTENT,
  copyPublication,
  openShell,
  type Serving,
  startServing,
} from '../helpers/serve.ts';
import { type Subscriber, startSubscriber } from '../helpers/subscriber.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { checkTree, startReader } from '../helpers/tree-reader.ts';

const KILLS = Number(process.env.PREPRESS_KILLS ?? 50);
/** Of each kind of build; the others are publishes. */
const KILLED_BUILDS = Math.round(KILLS * 0.14);
const POSTS = 50;

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', SITE]);
  return folder.remove;
});

/** A publication of its own, with posts enough that a build takes a while, and drafts to publish. */
const createScene = (): { folder: string; content: string; shell: SqliteConnection } => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  const idsOf = (table: string): string[] =>
    shell.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all() as string[];
  const [tags, authors] = [idsOf('tags'), idsOf('users')];
  shell.transaction(() => {
    for (let at = 0; at < POSTS + KILLS * 2; at += 1) {
      const post = insertRow(shell, 'posts', {
        slug: `post-${at}`,
        status: at < POSTS ? 'published' : 'draft',
        html: `<p>${`Line ${at} of the log. `.repeat(200)}</p>`,
        published_at: `2025-01-01T00:${String(at % 60).padStart(2, '0')}:00.000Z`,
      });
      const [tag_id, author_id] = [tags[at % tags.length], authors[at % authors.length]];
      insertRow(shell, 'posts_tags', { post_id: post, tag_id, sort_order: 0 });
      insertRow(shell, 'posts_authors', { post_id: post, author_id, sort_order: 0 });
    }
  })();
  const content = join(folder, CONTENT);
  mkdirSync(content, { recursive: true });
  return { folder, content, shell };
};

const isEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

type Aim = { readonly durations: Durations; readonly random: () => number };

/** True when it was still at work. */
const killBuild = async (
  child: ChildProcess,
  content: string,
  { durations, random }: Aim,
): Promise<boolean> => {
  const closed = once(child, 'close');
  await randomMoment(watchBuild(content, closed), durations, random);
  const isAlive = !isEnded(child);
  child.kill('SIGKILL');
  await closed;
  return isAlive;
};

type Scene = ReturnType<typeof createScene>;

type Kind = {
  readonly name: string;
  readonly kills: number;
  /** Brings the scene to where a build has work to do; returns what it must lead to, and its arguments. */
  readonly prepare: (
    scene: Scene,
    round: number,
  ) => Promise<{ readonly args: readonly string[]; readonly siteUrl?: string }>;
  /** The files of `lasting` stand before and after each build. */
  readonly isStanding: boolean;
};

const firstBuild: Kind = {
  name: 'first build',
  kills: KILLED_BUILDS,
  isStanding: false,
  prepare: async ({ folder, content }) => {
    for (const name of readdirSync(content)) rmSync(join(content, name), { recursive: true });
    for (const name of ['', '-wal', '-shm'])
      rmSync(join(folder, `data/build.db${name}`), { force: true });
    return { args: ['build'] };
  },
};

const fullRebuild: Kind = {
  name: 'full rebuild',
  kills: KILLED_BUILDS,
  isStanding: true,
  prepare: async (_, round) => {
    const siteUrl = `https://site-${round % 2}.test`;
    return { args: ['build', '--full', '--site-url', siteUrl], siteUrl };
  },
};

/** Publishes a draft, renames a slug and takes a post back, in one build. */
const incrementalBuild: Kind = {
  name: 'incremental build',
  kills: KILLED_BUILDS,
  isStanding: false,
  prepare: async ({ shell }, round) => {
    const edit = (sql: string, ...values: unknown[]): unknown => shell.prepare(sql).run(values);
    edit("UPDATE posts SET status = 'published' WHERE slug = ?", `post-${POSTS + round}`);
    edit('UPDATE posts SET slug = slug || ? WHERE slug = ?', '-renamed', `post-${round}`);
    edit("UPDATE posts SET status = 'draft' WHERE slug = ?", `post-${POSTS - 1 - round}`);
    edit('UPDATE tags SET description = ? WHERE slug = ?', `Round ${round}`, 'tides');
    return { args: ['build'] };
  },
};

/** Kills as many builds; after each, the next build must lead to the tree of a clean one. */
const killBuilds = async (kind: Kind, random: () => number): Promise<string> => {
  const scene = createScene();
  const { folder, content, shell } = scene;
  const spawnBuild = (args: readonly string[]): ChildProcess => spawnPrepress(folder, args);
  await subscribeAnyone(folder);
  const clean = new Map<string, ReadonlyMap<string, string>>();
  const expected = async (siteUrl = SITE): Promise<ReadonlyMap<string, string>> => {
    if (kind === incrementalBuild) return cleanTree(shell, siteUrl);
    const known = clean.get(siteUrl) ?? (await cleanTree(shell, siteUrl));
    clean.set(siteUrl, known);
    return known;
  };
  const first = await kind.prepare(scene, 0);
  const durations = await measureBuild(content, () => once(spawnBuild(first.args), 'close'));
  const lasting = kind.isStanding ? [...(await expected(first.siteUrl)).keys()] : [];
  const reader = startReader(content, { random: createRandom(SEED), lasting });
  let hits = 0;
  for (let round = 1; round <= kind.kills; round += 1) {
    const { args, siteUrl } = await kind.prepare(scene, round);
    const isHit = await killBuild(spawnBuild(args), content, { durations, random });
    hits += Number(isHit);
    expect(checkTree(content)).toEqual([]);
    await prepress(
      folder,
      args.filter((arg) => arg !== '--full'),
    );
    expectTree(content, await expected(siteUrl));
    if (kind === incrementalBuild) expectQueued(shell, `post-${POSTS + round}`);
    expect(reader.faults).toEqual([]);
  }
  await reader.close();
  return `${kind.name}: ${hits} of ${kind.kills} killed in ${formatDurations(durations)}, ${reader.reads()} reads`;
};

/** Somebody wants the events, or none would be queued; a build queues them and sends nothing. */
const subscribeAnyone = async (folder: string): Promise<void> => {
  const serving = await startServing(folder);
  const { subscribe } = await startSubscriber();
  await subscribe(serving, ['post.published', 'site.changed']);
  await serving.end();
};

/** The publish is announced once, with a site.changed of the same generation. */
const expectQueued = (shell: SqliteConnection, slug: string): void => {
  const events = shell
    .prepare(
      `SELECT event FROM events WHERE generation IN (
         SELECT generation FROM events JOIN posts ON posts.id = record_id
         WHERE event = 'post.published' AND slug = ?
       ) ORDER BY event`,
    )
    .pluck()
    .all(slug);
  expect(events).toEqual(['post.published', 'site.changed']);
};

test('builds that are killed leave whole files, and the next one a clean tree', async () => {
  const kinds = [firstBuild, fullRebuild, incrementalBuild];
  const lines = await Promise.all(
    kinds.map((kind, at) => killBuilds(kind, createRandom(SEED + at))),
  );
  console.log([`seed ${SEED}`, ...lines].join('\n'));
}, 600_000);

/** Later than the end of any build here. */
const BUILT_MS_MAX = 5_000;

/** Publishes one draft after another and kills the server at a random moment of each publish. */
const killServers = async (kills: number, random: () => number): Promise<string> => {
  const { folder, content, shell } = createScene();
  const subscriber = await startSubscriber();
  const running: { serving: Serving | null } = { serving: null };
  onTestFinished(async () => {
    await running.serving?.end('SIGKILL');
  });
  const start = async (): Promise<Serving> => {
    running.serving = await startServing(folder);
    return running.serving;
  };
  let serving = await start();
  await subscriber.subscribe(serving, ['post.published', 'site.changed']);
  const publish = (at: number): string => {
    shell.prepare("UPDATE posts SET status = 'published' WHERE slug = ?").run(`post-${POSTS + at}`);
    return `post-${POSTS + at}`;
  };
  const durations = await measureBuild(content, () => untilAnnounced(subscriber, publish(0)));
  const reader = startReader(content, { random: createRandom(SEED) });
  let hits = 0;
  for (let round = 1; round <= kills; round += 1) {
    const moments = watchBuild(content, sleep(BUILT_MS_MAX));
    const slug = publish(round);
    await randomMoment(moments, durations, random);
    hits += Number(countOf(subscriber, slug) === 0);
    await serving.end('SIGKILL');
    expect(checkTree(content)).toEqual([]);
    serving = await start();
    expectTree(content, await cleanTree(shell));
    await untilAnnounced(subscriber, slug);
    expect(reader.faults).toEqual([]);
  }
  await reader.close();
  await expectNothingLost(subscriber, kills + 1);
  const more = subscriber.noticed.length - 2 * (kills + 1);
  return `publishes: ${hits} of ${kills} killed before the POST was noticed, in ${formatDurations(durations)}, ${more} POSTs more than needed`;
};

const countOf = (subscriber: Subscriber, slug: string): number =>
  subscriber.of('post.published').filter(({ record }) => record.slug === slug).length;

const untilAnnounced = (subscriber: Subscriber, slug: string): Promise<void> =>
  vi.waitFor(() => expect(countOf(subscriber, slug), slug).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 5,
  });

/** Each publish came under one id, and so did the change of the site that it made. */
const expectNothingLost = async (subscriber: Subscriber, publishes: number): Promise<void> => {
  await subscriber.settle('site.changed', publishes);
  const idsOf = (event: string): Map<string, Set<string>> => {
    const ids = new Map<string, Set<string>>();
    for (const { id, generation, record } of subscriber.of(event)) {
      const key = `${generation} ${record.slug ?? ''}`;
      ids.set(key, (ids.get(key) ?? new Set()).add(id));
    }
    return ids;
  };
  for (const event of ['post.published', 'site.changed']) {
    const ids = idsOf(event);
    expect(ids.size, event).toBe(publishes);
    expect([...ids].filter(([, set]) => set.size > 1)).toEqual([]);
  }
};

test('servers that are killed lose no event, and start with a clean tree', async () => {
  const kills = KILLS - 3 * KILLED_BUILDS;
  const lanes = [Math.ceil(kills / 2), Math.floor(kills / 2)];
  const lines = await Promise.all(
    lanes.map((count, at) => killServers(count, createRandom(SEED + 10 + at))),
  );
  console.log([`seed ${SEED}`, ...lines].join('\n'));
}, 600_000);
