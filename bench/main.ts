// `npm run bench`: makes publications by seed, measures the program on them beside what the machine and
// others can do, prints tables, and with --assert exits 1 when a promise is missed. --ci asserts only what
// does not depend on who else uses the machine: memory, and the files that an edit touches.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildResult, buildOnce, measureBuilds } from './builds.ts';
import { atLeast, atMost, type Check, isMet, median } from './checks.ts';
import { type EditResult, measureEdits, measureTurn } from './edits.ts';
import { measureFunctions } from './functions.ts';
import { measurePeers } from './peers.ts';
import { measurePrecompress, type PrecompressResult } from './precompress.ts';
import { PAUSES } from './processes.ts';
import { makePublication } from './publication.ts';
import { measureRecordCost } from './record-cost.ts';
import { measureServing, type ServingRound } from './serving.ts';
import * as tables from './tables.ts';
import { isPartOfPublish } from './touched.ts';

const { values: options } = parseArgs({
  options: {
    posts: { type: 'string', default: '1000,10000,50000,100000' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
    parts: { type: 'string', default: 'builds,precompress,edits,serving,peers,functions' },
    assert: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

const sizes = options.posts.split(',').map(Number);
const parts = new Set(options.parts.split(','));
const rounds = Number(options.rounds);
if (options.ci) PAUSES.untilFreed = 0;
/** Above this, floors and rounds would take longer than they tell. */
const FLOORS_POSTS_MAX = 50_000;
const ROUNDS_POSTS_MAX = 10_000;
const STAMPED_POSTS_MAX = 10_000;
const MEMORY_MAX_MB = 350;
const TAR_RATIOS: ReadonlyMap<number, number> = new Map([
  [10_000, 0.75],
  [50_000, 0.55],
]);
const RECORD_COST_MAX = 1.2;
const PUBLISHES = 5;
const folder = mkdtempSync(join(resolve(options.folder), 'prepress-bench-'));
const checks: Check[] = [];
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const tell = (text: string): void => void process.stderr.write(`${text}\n`);

const builds: BuildResult[] = [];
const precompressed: PrecompressResult[] = [];
const edits: (EditResult & { readonly posts: number })[] = [];

const measureSize = async (posts: number): Promise<void> => {
  const place = join(folder, String(posts));
  const database = join(place, 'publication.db');
  tell(`${posts} posts: making the publication`);
  await makePublication(database, posts);
  tell(`${posts} posts: building`);
  const hasFloors = parts.has('builds') && !options.ci && posts <= FLOORS_POSTS_MAX;
  const build = await measureBuilds({
    posts,
    database,
    folder: place,
    rounds: posts <= ROUNDS_POSTS_MAX && parts.has('builds') ? rounds : 1,
    floors: hasFloors ? ['tar -xf'] : [],
    shownFloors:
      hasFloors && posts <= ROUNDS_POSTS_MAX
        ? ['tar -xf, links kept', 'cp -r', 'two-thread writer']
        : [],
  });
  builds.push(build);
  checks.push(
    atMost('memory', `peak memory in MB, ${posts} posts`, [
      tables.peakOf(build) ?? Number.NaN,
      MEMORY_MAX_MB,
    ]),
  );
  const limit = TAR_RATIOS.get(posts);
  if (hasFloors && limit !== undefined) {
    const value = tables.ratioTo(build, 'tar -xf');
    checks.push(atMost('time', `full build of tar -xf, ${posts} posts`, [value, limit]));
  }
  if (parts.has('precompress') && posts <= ROUNDS_POSTS_MAX) {
    await measureSidecars({ posts, database, folder: place, rounds });
  }
  if (parts.has('edits')) await measureSizeEdits(build, place);
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
  const { posts, built } = build;
  tell(`${posts} posts: edits`);
  const input = { place: built, folder: place };
  const isLarge = posts > ROUNDS_POSTS_MAX;
  const few = ['nothing', ...new Array<string>(isLarge ? 1 : PUBLISHES).fill('publish')];
  // The widest first: some file systems pass over inodes that were freed lately, which slows those after it.
  const wide = posts === 10_000 && !options.ci ? ['timezone', 'tag', 'author'] : [];
  const found: EditResult[] = [];
  if (!options.ci) {
    found.push(...(await measureEdits({ ...input, scenarios: few, copies: !isLarge })));
    for (const scenario of wide) await checkRecordCost(build, place, scenario);
    for (const scenario of wide) found.push(await measureWideEdit(build, place, scenario));
  }
  if (posts <= STAMPED_POSTS_MAX) {
    // Looking at the whole tree takes memory and time of the process that is measured, so no time is taken.
    const scenarios = ['nothing', 'publish', ...wide];
    found.push(...(await measureEdits({ ...input, scenarios, mode: 'compare', copies: false })));
  }
  const shown = found.filter(({ touched }) => options.ci || touched === null);
  edits.push(...shown.map((edit) => ({ ...edit, posts })));
  checkEdits(build, found);
};

/** Some file systems are slow while many inodes were freed lately: each wide edit has a tree that was just built. */
const measureWideEdit = async (
  build: BuildResult,
  place: string,
  scenario: string,
): Promise<EditResult> => {
  const own = join(place, `edit-${scenario}`);
  await buildOnce(build.database, own);
  return measureTurn(own, { folder: place, scenario });
};

const checkRecordCost = async (
  { posts, database }: BuildResult,
  place: string,
  scenario: string,
): Promise<void> => {
  const input = { posts, database, place, scenario, rounds };
  const { ratio, records } = await measureRecordCost(input);
  const name = `${scenario}: record cost of a full build's, ${records} records`;
  checks.push(atMost('time', name, [ratio, RECORD_COST_MAX]));
};

const checkEdits = (build: BuildResult, all: readonly EditResult[]): void => {
  const { posts } = build;
  for (const edit of all) checkTouched(edit, posts);
  const found = all.filter(({ touched }) => touched === null);
  if (found.length === 0) return;
  const publishes = found.filter(({ scenario }) => scenario === 'publish');
  const middle = (of: (edit: EditResult) => number): number => median(publishes.map(of));
  const nothing = found.find(({ scenario }) => scenario === 'nothing');
  const outside = middle(({ treeMilliseconds }) => treeMilliseconds);
  checks.push(
    atMost('time', `wake with nothing to do in ms, ${posts} posts`, [
      nothing?.milliseconds ?? Number.NaN,
      50,
    ]),
    atMost('time', `packed tree of a publish in ms, ${posts} posts`, [outside, 15]),
  );
  if (posts !== 10_000) return;
  const ofCopy = middle((edit) => edit.milliseconds / (edit.copyMilliseconds ?? Number.NaN));
  checks.push(atMost('time', `publish of cp and sync, ${posts} posts`, [ofCopy, 1.5]));
};

const checkTouched = ({ scenario, touched, written }: EditResult, posts: number): void => {
  if (touched === null) return;
  const ids = new Set(
    written.flatMap((name) => {
      const [resource, second = '', third = ''] = name.split('/');
      return resource === 'posts' && third !== '' ? [second === 'slug' ? third : second] : [];
    }),
  );
  const own = new Set([...ids].slice(0, scenario === 'publish' ? 2 : ids.size));
  const foreign =
    scenario === 'publish'
      ? touched.filter((name) => !isPartOfPublish(name, own))
      : touched.filter((name) => !written.includes(name));
  checks.push(
    atMost('files', `${scenario}: files it may not touch, ${posts} posts`, [foreign.length, 0]),
  );
};

const measureParts = async (): Promise<void> => {
  const middle = builds.findLast(({ posts }) => posts <= STAMPED_POSTS_MAX) ?? builds[0];
  if (middle === undefined || options.ci) return;
  const place = join(folder, 'parts');
  mkdirSync(place);
  if (parts.has('serving')) {
    tell('serving');
    const served = await measureServing(middle.built, join(place, 'serving'), rounds);
    if (served === null) tell('wrk or nginx is not installed: serving is not measured.');
    else sayServing(served, middle.posts);
  }
  if (parts.has('peers')) {
    tell('peers');
    const peers = await measurePeers({ built: middle.built, folder: join(place, 'peers') });
    say(`\nOthers, ${middle.posts.toLocaleString('en')} posts, record files only:\n`);
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

try {
  for (const posts of sizes) await measureSize(posts);
  say(`\nFull builds, Node.js ${process.version}:\n\n${tables.buildsTable(builds)}`);
  if (precompressed.length > 0) {
    say(`\nWith sidecars:\n\n${tables.precompressTable(precompressed)}`);
  }
  if (edits.length > 0) say(`\nEdits of a tree that stands:\n\n${tables.editsTable(edits)}`);
  await measureParts();
  const asserted = checks.filter(({ kind }) => !options.ci || kind !== 'time');
  say(`\n${tables.checksTable(asserted)}`);
  const failed = asserted.filter((check) => !isMet(check)).length;
  if (options.report !== undefined) {
    const counts = { numPassedTests: asserted.length - failed, numFailedTests: failed };
    const skipped = { numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(options.report, JSON.stringify({ ...counts, ...skipped, checks: asserted }));
  }
  if (failed > 0 && (options.assert || options.ci)) process.exitCode = 1;
} finally {
  if (!options.keep) rmSync(folder, { recursive: true, force: true });
}
