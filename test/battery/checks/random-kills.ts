// SIGKILL at random moments of builds and of publishes, with readers at work. While it happens every file
// that a reader finds is whole; after a restart the tree is that of a clean build, nothing staged is left,
// and no event is lost. Each check takes a program, which may be a sabotaged one.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { SqliteConnection } from '../../../src/base/sqlite/driver.ts';
import { isBlob } from '../../../src/content/tree/names.ts';
import {
  type Durations,
  measureBuild,
  randomMoment,
  watchBuild,
} from '../../helpers/build-moments.ts';
import { cleanTree, expectTree, SITE } from '../../helpers/clean-tree.ts';
import { eventually } from '../../helpers/eventually.ts';
import { insertRow } from '../../helpers/publication.ts';
import { createRandom, SEED } from '../../helpers/random.ts';
import { type Listener, listenForDeliveries, noticedOf } from '../../helpers/receiver.ts';
import { CONTENT, openShell } from '../../helpers/serve.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { checkTree, type Fault, startReader } from '../../helpers/tree-reader.ts';
import { untilDelivered } from '../outbox-state.ts';
import { mustRun, startProgram } from '../run-program.ts';
import { type Server, startServer } from '../server.ts';

const POSTS = 10;
const READERS = 4;

/** How the kills went: how many found the program at work, of a build one at least, and what the readers did meanwhile. */
export type KillReport = { readonly kills: number; readonly hits: number; readonly reads: number };

export type KillRun = {
  readonly program: string;
  readonly kills: number;
  readonly random: () => number;
};

type Scene = {
  readonly folder: string;
  readonly content: string;
  readonly shell: SqliteConnection;
};

/** A publication with posts enough that a build takes a while, and a draft to publish for each kill. */
const createScene = async ({ program, kills }: KillRun, shown = POSTS): Promise<Scene> => {
  const folder = temporaryFolder();
  await mustRun({ program, folder, args: ['init', '--empty', '--site-url', SITE] });
  const shell = openShell(folder);
  const tags = [0, 1, 2].map((at) => insertRow(shell, 'tags', { slug: `tag-${at}` }));
  const authors = [0, 1].map((at) => insertRow(shell, 'users', { slug: `author-${at}` }));
  shell.transaction(() => {
    for (let at = 0; at < shown + kills + 1; at += 1) {
      const post = insertRow(shell, 'posts', {
        slug: `post-${at}`,
        status: at < shown ? 'published' : 'draft',
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

const slugOf = (round: number): string => `post-${POSTS + round}`;

/** Publishes the next draft and takes back the oldest post, so that the tree keeps its size. */
const publishNext = (shell: SqliteConnection, round: number): void => {
  const set = shell.prepare('UPDATE posts SET status = ? WHERE slug = ?');
  shell.transaction(() => {
    set.run('published', slugOf(round));
    set.run('draft', `post-${round}`);
  })();
};

type Readers = {
  readonly faults: () => Fault[];
  readonly reads: () => number;
  readonly close: () => Promise<void>;
};

const startReaders = (content: string, lasting: readonly string[] = []): Readers => {
  const readers = Array.from({ length: READERS }, (_, at) =>
    startReader(content, {
      random: createRandom(SEED + at),
      lasting,
      pauseMs: 30,
      isWatching: at === 0,
    }),
  );
  onTestFinished(async () => {
    await Promise.all(readers.map((reader) => reader.close()));
  });
  return {
    faults: () => readers.flatMap(({ faults }) => faults),
    reads: () => readers.reduce((sum, { reads }) => sum + reads(), 0),
    close: async () => {
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
};

type Aim = { readonly durations: Durations; readonly random: () => number };

/** True when it was still at work. */
const killAtRandom = async (
  child: ChildProcess,
  content: string,
  { durations, random }: Aim,
): Promise<boolean> => {
  const closed = once(child, 'close');
  await randomMoment(watchBuild(content, closed), durations, random);
  const isAlive = child.exitCode === null && child.signalCode === null;
  child.kill('SIGKILL');
  await closed;
  return isAlive;
};

type Work = { readonly args: readonly string[]; readonly siteUrl?: string };

export type Kind = {
  readonly name: string;
  /** Brings the scene to where a build has work to do; returns its arguments, and what it must show. */
  readonly prepare: (scene: Scene, round: number) => Work;
  /** Every file stands before and after each build, with other bytes. */
  readonly isStanding: boolean;
  /** Posts that are shown, when that matters. */
  readonly posts?: number;
  /** What the build must have announced. */
  readonly announces?: (round: number) => string;
  /** The one of its broken rows of which nothing may be shown. */
  readonly hidden?: (round: number) => string | null;
};

export const firstBuild: Kind = {
  name: 'first build',
  isStanding: false,
  prepare: ({ folder, content }) => {
    for (const name of readdirSync(content)) rmSync(join(content, name), { recursive: true });
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(folder, `data/build.db${end}`), { force: true });
    }
    return { args: ['build'] };
  },
};

export const fullRebuild: Kind = {
  name: 'full rebuild',
  isStanding: true,
  prepare: (_, round) => {
    const siteUrl = `https://site-${round % 2}.test`;
    return { args: ['build', '--full', '--site-url', siteUrl], siteUrl };
  },
};

/** So many that threads share the rendering and the placing of them. */
export const largeRebuild: Kind = {
  ...fullRebuild,
  name: 'large rebuild',
  posts: 1_000,
};

/** Publishes a draft, takes a post back, renames a slug and edits a tag, in one build. */
export const incrementalBuild: Kind = {
  name: 'incremental build',
  isStanding: false,
  prepare: ({ shell }, round) => {
    publishNext(shell, round);
    const renamed = `post-${POSTS + round - 2}`;
    shell.prepare("UPDATE posts SET slug = slug || '-renamed' WHERE slug = ?").run(renamed);
    shell.prepare("UPDATE tags SET description = ? WHERE slug = 'tag-0'").run(`Round ${round}`);
    return { args: ['build'] };
  },
  announces: slugOf,
};

/** Breaks a row, every second time gating it in the same write, mends the one of before and publishes a draft. */
export const brokenBuild: Kind = {
  name: 'build of broken rows',
  isStanding: false,
  prepare: ({ shell }, round) => {
    const published_at = '2025-01-02T00:00:00.000Z';
    const gate = round % 2 === 0 ? 'public' : 'members';
    shell
      .prepare(
        "UPDATE posts SET published_at = ?, visibility = 'public' WHERE published_at = 'nonsense'",
      )
      .run(published_at);
    publishNext(shell, round);
    shell
      .prepare(
        "UPDATE posts SET published_at = 'nonsense', title = 'Broken', visibility = ? WHERE slug = ?",
      )
      .run(gate, `post-${POSTS + round - 1}`);
    return { args: ['build'] };
  },
  hidden: (round) => (round % 2 === 0 ? null : `post-${POSTS + round - 1}`),
};

/** Kills as many builds; after each, the next build must lead to the tree of a clean one. */
export const killBuilds = async (kind: Kind, run: KillRun): Promise<KillReport> => {
  const { program, kills, random } = run;
  const scene = await createScene(run, kind.posts);
  const { folder, content, shell } = scene;
  const start = (args: readonly string[]): ChildProcess => {
    const child = startProgram({ program, folder, args });
    child.stdout.resume();
    child.stderr.resume();
    return child;
  };
  await subscribeAnyone(program, folder);
  const known = new Map<string, ReadonlyMap<string, string>>();
  const expected = async ({ siteUrl = SITE }: Work): Promise<ReadonlyMap<string, string>> => {
    if (kind.announces !== undefined || kind.hidden !== undefined) return cleanTree(shell);
    const clean = known.get(siteUrl) ?? (await cleanTree(shell, siteUrl));
    known.set(siteUrl, clean);
    return clean;
  };
  const first = kind.prepare(scene, 0);
  const durations = await measureBuild(content, () => once(start(first.args), 'close'));
  // Blobs of other bytes have other names.
  const lasting = async () => [...(await expected(first)).keys()].filter((name) => !isBlob(name));
  const readers = startReaders(content, kind.isStanding ? await lasting() : []);
  let hits = 0;
  // On a busy machine a build may be done before its moment comes: one kill at least finds it at work.
  for (let round = 1; round <= kills || hits === 0; round += 1) {
    const work = kind.prepare(scene, round);
    hits += Number(await killAtRandom(start(work.args), content, { durations, random }));
    expect(checkTree(content)).toEqual([]);
    await mustRun({ program, folder, args: work.args.filter((arg) => arg !== '--full') });
    expectTree(content, await expected(work));
    if (kind.announces) expectQueued(shell, kind.announces(round));
    if (kind.hidden) expectShownBut(scene, kind.hidden(round));
    expect(readers.faults()).toEqual([]);
  }
  await readers.close();
  return { kills, hits, reads: readers.reads() };
};

const EVENTS = ['post.published', 'site.changed'] as const;

const startListening = async (server: Server): Promise<Listener> => {
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  for (const event of EVENTS) await listener.subscribe(server, event);
  return listener;
};

/** Somebody wants the events, or none would be queued; a build queues them and sends nothing. */
const subscribeAnyone = async (program: string, folder: string): Promise<void> => {
  const server = await startServer(folder, { program });
  await startListening(server);
  await server.end();
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

/** Every published post is shown, broken or not, but one. */
const expectShownBut = ({ shell, content }: Scene, hidden: string | null): void => {
  const slugs = shell.prepare("SELECT slug FROM posts WHERE status = 'published'").pluck().all();
  const shown = readdirSync(join(content, 'posts/slug'));
  expect(shown.sort()).toEqual((slugs as string[]).filter((slug) => slug !== hidden).sort());
};

/** Publishes one draft after another and kills the server at a random moment of each publish. */
export const killServers = async (run: KillRun): Promise<KillReport & { again: number }> => {
  const { program, kills, random } = run;
  const { folder, content, shell } = await createScene(run);
  const running: { server: Server | null } = { server: null };
  onTestFinished(async () => {
    await running.server?.end('SIGKILL');
  });
  const start = async (): Promise<Server> => {
    running.server = await startServer(folder, { program });
    return running.server;
  };
  let server = await start();
  const listener = await startListening(server);
  const publishFirst = () => {
    publishNext(shell, 0);
    return untilAnnounced(listener, slugOf(0));
  };
  const durations = await measureBuild(content, publishFirst);
  const readers = startReaders(content);
  let hits = 0;
  for (let round = 1; round <= kills; round += 1) {
    const slug = slugOf(round);
    const moments = watchBuild(content, untilAnnounced(listener, slug));
    publishNext(shell, round);
    await randomMoment(moments, durations, random);
    hits += Number(countOf(listener, slug) === 0);
    await server.end('SIGKILL');
    expect(checkTree(content)).toEqual([]);
    server = await start();
    expectTree(content, await cleanTree(shell));
    await untilAnnounced(listener, slug);
    expect(readers.faults()).toEqual([]);
  }
  await readers.close();
  await untilDelivered(shell);
  expectNothingLost(listener, kills + 1);
  const again = listener.received.length - 2 * (kills + 1);
  return { kills, hits, reads: readers.reads(), again };
};

const countOf = (listener: Listener, slug: string): number =>
  noticedOf(listener, 'post.published').filter(({ record }) => record.slug === slug).length;

const untilAnnounced = (listener: Listener, slug: string): Promise<void> =>
  eventually(() => expect(countOf(listener, slug), slug).toBeGreaterThan(0), 5);

/** Each publish came under one id, and so did the change of the site that it made. */
const expectNothingLost = (listener: Listener, publishes: number): void => {
  const idsOf = (event: string): Map<string, Set<string>> => {
    const ids = new Map<string, Set<string>>();
    for (const { id, generation, record } of noticedOf(listener, event)) {
      const key = `${generation} ${record.slug ?? ''}`;
      ids.set(key, (ids.get(key) ?? new Set()).add(id));
    }
    return ids;
  };
  for (const event of EVENTS) {
    const ids = idsOf(event);
    expect(ids.size, event).toBe(publishes);
    expect([...ids].filter(([, set]) => set.size > 1)).toEqual([]);
  }
};
