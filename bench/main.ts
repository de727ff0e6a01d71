// `npm run bench`: makes publications by seed, measures the program on them beside what the machine and
// others can do, prints tables, and with --assert exits 1 when a promise is missed. --ci asserts only what
// does not depend on who else uses the machine: memory, the files that an edit touches, the number of packed files, and
// the bytes that a publish carries.
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBuilds, MEMORY_MAX_MB, planRounds } from './build-checks.ts';
import { type BuildResult, measureBuilds } from './builds.ts';
import { checkTouched } from './check-touched.ts';
import { atLeast, atMost, type Check, isMet, median } from './checks.ts';
import type { Cycle } from './cycles.ts';
import { removeAfter, sayDisk } from './disk.ts';
import { measureFunctions } from './functions.ts';
import { findMissing } from './missing-programs.ts';
import { OWN_PARTS } from './own-parts.ts';
import { checkPages, measurePages, type PagesResult } from './pages.ts';
import { measurePeers } from './peers.ts';
import { measurePrecompress, type PrecompressResult } from './precompress.ts';
import { PAUSES, remove } from './processes.ts';
import { makePublication } from './publication.ts';
import {
  checkPublishes,
  compareSizes,
  measurePublishes,
  type PublishesResult,
} from './publishes.ts';
import { checkQueries, measureQueries } from './queries.ts';
import { measureQueryHosts } from './query-hosts.ts';
import { measureServing, type ServingRound } from './serving.ts';
import * as tables from './tables.ts';
import { measureWideEdits, WIDE_EDITS } from './wide-edits.ts';

const PARTS = [
  'builds',
  'precompress',
  'edits',
  'publishes',
  'pages',
  'queries',
  'serving',
  'query-hosts',
  'peers',
  'functions',
  'imports',
  'follows',
  'memory',
  'pictures',
  'end-to-end',
  'postgres',
];

const ALL = { posts: '1000,10000,50000,100000', parts: PARTS, rounds: 3 };
/** Two minutes on two quiet cores: what users feel most. */
const QUICK = { posts: '10000', parts: ['builds', 'publishes', 'queries'], rounds: 1 };

const { values: options } = parseArgs({
  options: {
    posts: { type: 'string' },
    rounds: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    parts: { type: 'string' },
    pictures: { type: 'string', default: '1000' },
    edits: { type: 'string', default: '50' },
    ghost: { type: 'string' },
    'packed-posts': { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    assert: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

const preset = options.quick ? QUICK : ALL;
const sizes = (options.posts ?? preset.posts).split(',').map(Number);
const parts = new Set((options.parts ?? preset.parts.join()).split(','));
const rounds = Number(options.rounds ?? preset.rounds);
if (options.ci || options.quick) PAUSES.untilFreed = 0;
/** Of the publication that is looked at again. */
const KEPT = ['build-1', 'publication.db'];
/** Above this, what is only shown would take longer than it tells. */
const ROUNDS_POSTS_MAX = 10_000;
const STAMPED_POSTS_MAX = 10_000;
const WIDE_EDITS_POSTS = 10_000;
const PUBLISHES = 20;
const PUBLISHES_FEW = 3;
const folder = mkdtempSync(join(resolve(options.folder), 'prepress-bench-'));
// nginx may read as another user.
chmodSync(folder, 0o755);
const checks: Check[] = [];
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const tell = (text: string): void => void process.stderr.write(`${text}\n`);

const builds: BuildResult[] = [];
const precompressed: PrecompressResult[] = [];
const edits: (Cycle & { readonly posts: number })[] = [];
/** Of the publication that parts look at which need only one. */
const middlePosts = sizes.findLast((posts) => posts <= STAMPED_POSTS_MAX) ?? sizes[0];
const publishes: PublishesResult[] = [];
const pages: PagesResult[] = [];

const measureSize = async (posts: number): Promise<void> => {
  const place = join(folder, String(posts));
  const database = join(place, 'publication.db');
  tell(`${posts} posts: making the publication`);
  await makePublication(database, posts);
  tell(`${posts} posts: building`);
  const hasFloors = parts.has('builds') && !options.ci;
  const build = await measureBuilds({
    posts,
    database,
    folder: place,
    rounds: planRounds(posts, parts.has('builds') ? rounds : 1),
    floors: hasFloors ? ['tar -xf', 'two-thread writer'] : [],
    isLean: posts > ROUNDS_POSTS_MAX,
    shownFloors:
      hasFloors && !options.quick && posts <= ROUNDS_POSTS_MAX
        ? ['tar -xf, links kept', 'cp -r']
        : [],
  });
  builds.push(build);
  checks.push(...checkBuilds(build));
  if (parts.has('precompress') && posts <= ROUNDS_POSTS_MAX) {
    await measureSidecars({ posts, database, folder: place, rounds });
  }
  if (parts.has('edits')) await measureSizeEdits(build, place);
  if (parts.has('publishes')) await measureSizePublishes(build, place);
  if (parts.has('pages') && !options.ci && posts <= ROUNDS_POSTS_MAX) {
    tell(`${posts} posts: pages`);
    const found = await measurePages({ posts, built: build.built, folder: place, rounds });
    pages.push(found);
    checks.push(...checkPages(found));
  }
};

const measureSidecars = async (input: Parameters<typeof measurePrecompress>[0]): Promise<void> => {
  const { posts } = input;
  tell(`${posts} posts: precompress`);
  const results = await measurePrecompress(input);
  precompressed.push(...results);
  for (const { encodings, peakMb } of results.filter((one) => one.encodings !== '')) {
    const name = `peak memory in MB with ${encodings}, ${posts} posts`;
    checks.push(atMost('memory', name, [peakMb ?? Number.NaN, MEMORY_MAX_MB]));
  }
};

const measureSizeEdits = async (build: BuildResult, place: string): Promise<void> => {
  const { posts } = build;
  const isWide = posts === WIDE_EDITS_POSTS && !options.ci;
  if (isWide) {
    tell(`${posts} posts: edits`);
    const found = await measureWideEdits({ build, folder: place, rounds });
    edits.push(...found.edits.map((edit) => ({ ...edit, posts })));
    checks.push(...found.checks);
  }
  if (posts > STAMPED_POSTS_MAX) return;
  tell(`${posts} posts: touched files`);
  const found = await checkTouched(build, place, isWide ? WIDE_EDITS : []);
  if (options.ci) edits.push(...found.edits.map((edit) => ({ ...edit, posts })));
  checks.push(...found.checks);
};

const measureSizePublishes = async (build: BuildResult, place: string): Promise<void> => {
  tell(`${build.posts} posts: publishes`);
  const count = options.ci || options.quick ? PUBLISHES_FEW : PUBLISHES;
  const found = await measurePublishes({ build, folder: place, publishes: count });
  publishes.push(...found);
  checks.push(...checkPublishes(found));
};

const measureParts = async (): Promise<void> => {
  const middle = builds.find(({ posts }) => posts === middlePosts);
  if (middle === undefined || options.ci) return;
  const place = join(folder, 'parts');
  mkdirSync(place);
  if (parts.has('queries')) {
    tell('queries');
    const queries = await measureQueries(middle.built);
    say(`\nQueries of posts, ${middle.posts.toLocaleString('en')} posts, blobs read before:\n`);
    say(tables.queriesTable(queries));
    checks.push(checkQueries(queries, middle.posts));
  }
  if (parts.has('serving')) {
    tell('serving');
    const served = await measureServing(middle.built, join(place, 'serving'), rounds);
    if (served !== null) sayServing(served, middle.posts);
  }
  if (parts.has('query-hosts')) {
    tell('query-hosts');
    const found = await measureQueryHosts(middle.built, join(place, 'query-hosts'));
    if (found !== null) {
      say(`\nQueries by code, ${middle.posts.toLocaleString('en')} posts, 16 connections:\n`);
      say(tables.queryHostsTable(found));
    }
  }
  if (parts.has('peers')) {
    tell('peers');
    const peers = await measurePeers({
      build: middle,
      folder: join(place, 'peers'),
      ghost: options.ghost,
    });
    say(`\nBeside others, ${middle.posts.toLocaleString('en')} posts:\n`);
    say(tables.peersTable(peers));
  }
  if (parts.has('functions')) {
    const database = join(folder, String(middle.posts), 'publication.db');
    say(`\n${tables.functionsTable(await measureFunctions(database))}`);
  }
};

const sayServing = (served: readonly ServingRound[], posts: number): void => {
  say(`\nServing, ${posts.toLocaleString('en')} posts, 32 connections:\n`);
  say(tables.servingTable(served));
  const middle = (of: (round: ServingRound) => number): number => median(served.map(of));
  checks.push(
    atLeast('time', 'requests a second of nginx', [
      middle(({ ours, nginx }) => ours.perSecond / nginx.perSecond),
      0.5,
    ]),
    atMost('time', 'p99 in ms', [middle(({ ours }) => ours.p99Ms), 20]),
    atMost('memory', 'growth of the server under load in MB', [
      middle(({ memoryMb: [before, after] }) => after - before),
      20,
    ]),
  );
};

const printSkipped = async (): Promise<void> => {
  const left = PARTS.filter((part) => !parts.has(part));
  if (left.length > 0) say(`\nNot asked for: ${left.join(', ')}. All: npm run bench`);
  if (!options.ci) for (const line of await findMissing(parts)) say(line);
};

try {
  const built = [...parts].every((part) => part in OWN_PARTS) ? [] : sizes;
  sayDisk(built, tell);
  for (const [part, measure] of Object.entries(OWN_PARTS)) {
    if (!parts.has(part)) continue;
    tell(part);
    const measured = await measure({
      folder,
      rounds,
      pictures: Number(options.pictures),
      packedPosts: Number(options['packed-posts']),
      edits: Number(options.edits),
      sizes: options.posts === undefined ? undefined : sizes,
    });
    if (measured === null) continue;
    say(measured.text);
    checks.push(...measured.checks);
  }
  for (const posts of built) {
    await measureSize(posts);
    await removeAfter(join(folder, String(posts)), posts === middlePosts ? KEPT : []);
  }
  if (builds.length > 0)
    say(`\nFull builds, Node.js ${process.version}:\n\n${tables.buildsTable(builds)}`);
  if (precompressed.length > 0) {
    say(`\nWith sidecars:\n\n${tables.precompressTable(precompressed)}`);
  }
  if (edits.length > 0) say(`\nEdits of a tree that stands:\n\n${tables.editsTable(edits)}`);
  if (publishes.length > 0) {
    say(`\nPublishes of one post:\n\n${tables.publishesTable(publishes)}`);
    checks.push(...compareSizes(publishes));
  }
  if (pages.length > 0) say(`\nPages for readers:\n\n${tables.pagesTable(pages)}`);
  await measureParts();
  const asserted = checks.filter(({ kind }) => !options.ci || kind !== 'time');
  say(`\n${tables.checksTable(asserted)}`);
  await printSkipped();
  const failed = asserted.filter((check) => !isMet(check)).length;
  if (options.report !== undefined) {
    const counts = { numPassedTests: asserted.length - failed, numFailedTests: failed };
    const skipped = { numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(options.report, JSON.stringify({ ...counts, ...skipped, checks: asserted }));
  }
  if (failed > 0 && (options.assert || options.ci)) process.exitCode = 1;
} finally {
  if (!options.keep) await remove(folder);
}
