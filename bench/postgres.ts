// What a publication in PostgreSQL costs beside the same one in a file of SQLite, in the same run: builds, saves and publishes
// at each size, how soon a commit is read, and the first fill of a machine.
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { loadDriver } from '../src/base/sqlite/driver.ts';
import { COMMITTED, openReadModel } from '../src/publication/store/postgres/read-model.ts';
import { createRandom } from '../test/helpers/random.ts';
import { startPostgres } from '../test/matrix/start-postgres.ts';
import { buildOnce, prepress, SITE_URL } from './builds.ts';
import { atMost, type Check, median } from './checks.ts';
import { askAdmin, end, type LiveServer, startServer } from './live-server.ts';
import { type Measured, remove, settle } from './processes.ts';
import { makePublication } from './publication.ts';
import { listIds } from './start-readers.ts';

/** Milliseconds of each edit: from a save to its answer, and to the file that shows it. */
type Edits = { readonly saved: readonly number[]; readonly shown: readonly number[] };

/** Of a file of SQLite, and of PostgreSQL. */
export type Pair<T> = { readonly file: T; readonly postgres: T };

export type PostgresResult = {
  readonly posts: number;
  readonly members: number;
  /** Of the machine's copy. */
  readonly copyMb: number;
  readonly fill: Measured;
  /** Null of a size of which the fill alone is measured. */
  readonly more: null | {
    readonly buildSeconds: readonly Pair<number>[];
    readonly edits: Pair<Edits>;
    /** Milliseconds from a commit until it is read. */
    readonly heard: readonly number[];
    readonly polled: readonly number[];
  };
};

/** 10, 100 and 1,000 times the sample's 20 posts, and the size that has limits. */
const SIZES = [200, 2_000, 10_000, 20_000, 100_000];
const LIMITED_POSTS = 10_000;
/** Of this size the first fill alone is measured. */
const FILLED_POSTS = 100_000;
const WARM_EDITS = 5;
const EDITS = 20;
const COMMITS = 40;
const QUIET_MS = 500;
const POLL_MS = 2;
/** Phases of polls that commits find. */
const SPREAD_MS = 300;

/** PostgreSQL as it is by default: it waits for the disk. */
export const measurePostgres = async (
  folder: string,
  rounds: number,
  sizes: readonly number[] = SIZES,
): Promise<PostgresResult[]> => {
  mkdirSync(folder);
  const server = await startPostgres(folder, []);
  try {
    const results: PostgresResult[] = [];
    for (const posts of sizes) {
      process.stderr.write(`${posts} posts in PostgreSQL\n`);
      const place = join(folder, String(posts));
      const address = await server.create();
      results.push(await measureSize({ posts, place, address, rounds }));
      await remove(place);
    }
    return results;
  } finally {
    await server.end();
  }
};

type Size = {
  readonly posts: number;
  readonly place: string;
  readonly address: string;
  readonly rounds: number;
};

const DATABASE = 'data/publication.db';
const COPY = 'data/replica.db';
const KEY = 'data/secret.key';

const measureSize = async (size: Size): Promise<PostgresResult> => {
  const { posts, place, address } = size;
  const environment = { PREPRESS_DATABASE: address };
  const source = join(place, 'source');
  await makePublication(join(source, DATABASE), posts);
  addMembers(join(source, DATABASE), posts);
  await prepress(source, ['database', 'move', DATABASE], environment);
  const filled = join(place, 'filled');
  mkdirSync(join(filled, 'data'), { recursive: true });
  await settle(place, { isWarm: true });
  const fill = await prepress(filled, ['status', '--json'], environment);
  const copyMb = statSync(join(filled, COPY)).size / 1e6;
  const more = posts === FILLED_POSTS ? null : await measureMore(size, { source, filled });
  return { posts, members: posts, copyMb, fill, more };
};

const addMembers = (path: string, count: number): void => {
  const database = new (loadDriver())(path);
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO members (id, uuid, email, name, created_at)
    SELECT printf('%024x', n), printf('%08x-0000-4000-8000-%012x', n, n), 'member-' || n || '@example.com', 'Member ' || n,
      '2024-01-01T10:00:00.000Z' FROM numbers`);
  database.close();
};

type Places = { readonly source: string; readonly filled: string };

const measureMore = async (
  { place, address, rounds }: Size,
  { source, filled }: Places,
): Promise<PostgresResult['more']> => {
  const environment = { PREPRESS_DATABASE: address };
  const builtAt = (kind: string, round: number): string => join(place, `${kind}-${round}`);
  const buildSeconds: Pair<number>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const file = await buildOnce(join(source, DATABASE), builtAt('file', round), { isWarm: true });
    const machine = builtAt('postgres', round);
    mkdirSync(join(machine, 'data'), { recursive: true });
    // The read model is there.
    for (const name of [COPY, KEY])
      if (existsSync(join(filled, name))) copyFileSync(join(filled, name), join(machine, name));
    await settle(machine, { isWarm: true });
    const build = ['build', '--json', '--site-url', SITE_URL];
    const postgres = await prepress(machine, build, environment);
    if (round === 1 && existsSync(join(machine, KEY)))
      copyFileSync(join(machine, KEY), join(filled, KEY));
    buildSeconds.push({ file: file.seconds, postgres: postgres.seconds });
  }
  const servers = {
    file: await startServer(builtAt('file', 1)),
    postgres: await startServer(builtAt('postgres', 1), { environment }),
  };
  const edits = await timeEdits(servers).finally(async () => {
    for (const { child } of Object.values(servers)) await end(child);
  });
  return { buildSeconds, edits, ...(await timeCommits(address, builtAt('postgres', 1))) };
};

/** In turns, so that both see the same machine. */
const timeEdits = async (servers: Pair<LiveServer>): Promise<Pair<Edits>> => {
  const times: Pair<{ readonly saved: number[]; readonly shown: number[] }> = {
    file: { saved: [], shown: [] },
    postgres: { saved: [], shown: [] },
  };
  const ids = listIds(servers.file.folder);
  for (let edit = 0; edit < WARM_EDITS + EDITS; edit += 1)
    for (const kind of ['file', 'postgres'] as const) {
      await sleep(QUIET_MS);
      const { saved, shown } = await timeEdit(servers[kind], ids[edit % ids.length] ?? '', edit);
      if (edit < WARM_EDITS) continue;
      times[kind].saved.push(saved);
      times[kind].shown.push(shown);
    }
  return times;
};

type Post = { readonly updated_at: string };

const timeEdit = async (
  server: LiveServer,
  id: string,
  edit: number,
): Promise<{ readonly saved: number; readonly shown: number }> => {
  const title = `Edit ${edit} of ${process.pid}`;
  const path = `/posts/${id}/`;
  const { posts } = (await askAdmin(server, 'GET', [path])) as { posts: [Post] };
  const { updated_at } = posts[0];
  const started = performance.now();
  await askAdmin(server, 'PUT', [path, { posts: [{ title, updated_at }] }]);
  const saved = performance.now() - started;
  const file = join(server.folder, 'output/content/posts', id, 'index.json');
  while (!readFileSync(file, 'utf8').includes(title)) await sleep(POLL_MS);
  return { saved, shown: performance.now() - started };
};

/** Commits of another program: such as say so, as a save does, and such as do not. */
const timeCommits = async (address: string, machine: string) => {
  const place = { address, isReader: false };
  const model = await openReadModel(join(machine, COPY), place, {});
  const client = new Client({ connectionString: address });
  await client.connect();
  const random = createRandom(1);
  const timeCommit = async (said: string): Promise<number> => {
    await sleep(SPREAD_MS + random() * SPREAD_MS);
    const before = model.seen();
    await client.query(`BEGIN; UPDATE tags SET name = name || '.' WHERE slug = 'news'; ${said}`);
    const started = performance.now();
    await client.query('COMMIT');
    while (model.seen() === before) await sleep(1);
    return performance.now() - started;
  };
  const timeAll = async (said: string): Promise<number[]> => {
    const times: number[] = [];
    for (let commit = 0; commit < COMMITS; commit += 1) times.push(await timeCommit(said));
    return times;
  };
  try {
    await model.becomeCurrent();
    return { heard: await timeAll(`NOTIFY ${COMMITTED}`), polled: await timeAll('') };
  } finally {
    await client.end();
    await model.close();
  }
};

/** The middle one of those ratios that were measured one after the other. */
export const buildRatio = (pairs: readonly Pair<number>[]): number =>
  median(pairs.map(({ file, postgres }) => postgres / file));

export const checkPostgres = (results: readonly PostgresResult[]): Check[] =>
  results.flatMap(({ posts, members, fill, more }) => {
    const of = `${posts} posts in PostgreSQL`;
    if (more === null)
      return [
        atMost('time', `seconds of the first fill, ${of}, ${members} members`, [fill.seconds, 30]),
        atMost('memory', `its peak memory in MB, ${of}`, [fill.peakMb ?? Number.NaN, 300]),
      ];
    if (posts !== LIMITED_POSTS) return [];
    const { buildSeconds, edits, heard, polled } = more;
    const { file, postgres } = edits;
    return [
      atMost('time', `full build of SQLite's, ${of}`, [buildRatio(buildSeconds), 1.1]),
      atMost('time', `ms of a save, ${of}`, [median(postgres.saved), 25]),
      atMost('time', `from a save to its file of SQLite's, ${of}`, [
        median(postgres.shown) / median(file.shown),
        1.3,
      ]),
      atMost('time', `ms from a commit to the read model, ${of}`, [median(heard), 20]),
      atMost('time', `the same without a word of it, ${of}`, [median(polled), 250]),
    ];
  });
