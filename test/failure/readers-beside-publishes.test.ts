// Readers beside publishes: each publish changes many records and their tag at once, and no answer to a query shows some
// of them as they were before and some as they are after, whenever it is asked for. Readers ask while builds run, and at
// each step of a build at which the disk is waited for.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { answerList } from '../../src/content/queries/answer.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type { Root } from '../../src/content/tree/tree.ts';
import { createTreeStore } from '../../src/content/tree/tree-store.ts';
import type { Manifest } from '../../src/publish/manifest/manifest.ts';
import { openManifest } from '../../src/publish/manifest/open-manifest.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { buildInto, NO_SYNC, testConfig } from '../helpers/tree.ts';
import { type Served, serve } from '../unit/serve/server/harness.ts';

const POSTS = 30;

const QUERIES = [
  "filter=title:~'generation'&limit=29&fields=title,slug&include=tags",
  'order=title%20asc&limit=28&include=tags&formats=html,plaintext',
] as const;

const fill = ({ insert }: Served): void => {
  const tag = insert('tags', { slug: 'all', name: 'Generation 0' });
  for (let at = 0; at < POSTS; at += 1) {
    const id = insert('posts', {
      slug: `post-${at}`,
      title: 'Generation 0',
      html: '<p>Generation 0</p>',
      status: 'published',
      published_at: `2026-01-01 10:00:${10 + at}`,
    });
    insert('posts_tags', { post_id: id, tag_id: tag, sort_order: 0 });
  }
};

/** All records at once. */
const edit = ({ shell }: Served, generation: number): void => {
  const name = `Generation ${generation}`;
  shell.transaction(() => {
    shell.prepare('UPDATE tags SET name = ?').run(name);
    shell.prepare('UPDATE posts SET title = ?, html = ?').run(name, `<p>${name}</p>`);
  })();
};

type Answer = {
  readonly posts: readonly {
    readonly title: string;
    readonly html?: string;
    readonly plaintext?: string;
    readonly tags: readonly { readonly name: string }[];
  }[];
};

/** The generations that an answer shows: one, unless it mixes them. */
const generationsIn = ({ posts }: Answer): number[] => {
  const texts = posts.flatMap(({ title, html, plaintext, tags }) => [
    title,
    ...tags.map(({ name }) => name),
    ...[html, plaintext].flatMap((text) => text ?? []),
  ]);
  return [...new Set(texts.map((text) => Number(/Generation (\d+)/.exec(text)?.[1])))];
};

type Reader = {
  readonly read: () => Promise<void>;
  readonly reads: () => number;
  readonly newest: () => number;
  readonly faults: string[];
};

const createReader = ({ get }: Served, query: string, allowed: readonly number[]): Reader => {
  const faults: string[] = [];
  let newest = 0;
  let reads = 0;
  return {
    faults,
    reads: () => reads,
    newest: () => newest,
    read: async () => {
      reads += 1;
      const asked = newest;
      const answer = await get(`/content/posts/?${query}&number=${reads}`);
      const text = await answer.text();
      if (!allowed.includes(answer.status)) faults.push(`${answer.status} ${text.slice(0, 200)}`);
      if (answer.status !== 200) return;
      const found = generationsIn(JSON.parse(text) as Answer);
      const [generation = -1] = found;
      if (found.length !== 1) faults.push(`mixes ${found}`);
      if (generation < asked) faults.push(`${generation} after ${asked}`);
      newest = Math.max(newest, generation);
    },
  };
};

/** As a server that has just been started, or a host of files: with nothing of before. */
const readAnew = async (content: string): Promise<number[]> => {
  const store = createTreeStore({
    readRoot: async () =>
      JSON.parse(await readFile(join(content, PACKED_ROOT_FILE), 'utf8')) as Root,
    readBlob: async (name) => readFile(join(content, blobFile(name))).catch(() => null),
    bytesMax: 0,
  });
  const pieces = await answerList(store, 'posts', { rawQuery: QUERIES[0], nowMs: 0 });
  return generationsIn(JSON.parse(Buffer.concat(pieces).toString()) as Answer);
};

const start = async (keepReplacedHours: number) => {
  let manifest: Manifest | null = null;
  const tree = {
    version: () => manifest?.version() ?? '',
    file: (path: string) => manifest?.file(path),
  };
  const served = await serve({ flags: { contentKey: 'optional' }, tree });
  const config = testConfig({ keepReplacedHours });
  const options = { config, levels: SMALL_LEVELS };
  fill(served);
  await buildInto(served.store, served.output, options);
  const opened = openManifest(join(served.output, 'build.db'));
  manifest = opened;
  onTestFinished(() => opened.close());
  return { served, options };
};

/** CI makes a hundred. */
const PUBLISHES = process.env.PREPRESS_TEST_RUNS === undefined ? 25 : 100;

/** Without earlier generations, two publishes within one answer leave nothing of the root that it began with. */
test.each([
  { keptHours: 24, publishes: PUBLISHES, statuses: [200] },
  { keptHours: 0, publishes: 10, statuses: [200, 503] },
])(
  '$publishes publishes, blobs kept for $keptHours hours',
  async ({ keptHours, publishes, statuses }) => {
    const { served, options } = await start(keptHours);
    const readers = QUERIES.map((query) => createReader(served, query, statuses));
    const readAll = () => Promise.all(readers.map(({ read }) => read()));
    // Begun at each step, and waited for at the next one: so they go on while files are placed.
    let underWay = readAll();
    const syncPaths = async (): Promise<void> => {
      expect(await readAnew(join(served.output, 'content'))).toHaveLength(1);
      await underWay;
      underWay = readAll();
    };
    const durability = { ...NO_SYNC, syncPaths };
    for (let generation = 1; generation <= publishes; generation += 1) {
      edit(served, generation);
      await buildInto(served.store, served.output, { ...options, durability });
      await Promise.all([underWay, readAll()]);
      for (const { newest, faults } of readers) {
        expect(faults).toEqual([]);
        expect(newest()).toBe(generation);
      }
    }
    for (const { reads, faults } of readers) {
      expect(faults).toEqual([]);
      expect(reads()).toBeGreaterThan(publishes * 4);
    }
  },
);
