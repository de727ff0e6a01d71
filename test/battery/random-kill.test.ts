// SIGKILL at random moments of builds and of a server's publishes, with four readers at each tree: 60 in
// the short form, 5,000 in the long one. PREPRESS_SEED repeats a run.
import { expect, test } from 'vitest';
import { createRandom, SEED } from '../helpers/random.ts';
import {
  brokenBuild,
  firstBuild,
  fullRebuild,
  incrementalBuild,
  type Kind,
  killBuilds,
  killServers,
  largeRebuild,
} from './checks/random-kills.ts';
import { bundleQuickSabotaged, quickProgram, type Sabotage } from './program.ts';
import { sayRow, sized } from './size.ts';

const KILLS = sized({ short: 60, long: 5_000 });
/** Of each of four kinds of build, and of each of two servers. */
const SHARES = { builds: 0.165, servers: 0.17 } as const;

const program = await quickProgram();

const KINDS: readonly Kind[] = [firstBuild, fullRebuild, incrementalBuild, brokenBuild];

test('builds: no torn file, no missing target, a restart equals a clean build', {}, async () => {
  const kills = Math.round(KILLS * SHARES.builds);
  const lanes = KINDS.map(async (kind, at) => {
    const report = await killBuilds(kind, { program, kills, random: createRandom(SEED + at) });
    sayRow(`SIGKILL in a ${kind.name}, seed ${SEED}`, {
      kills,
      'while at work': report.hits,
      'reads meanwhile': report.reads,
      'torn or missing files': 0,
    });
    expect(report.hits).toBeGreaterThan(0);
  });
  await Promise.all(lanes);
});

test('builds that replace thousands of files', async () => {
  const kills = sized({ short: 1, long: 60 });
  const random = createRandom(SEED + 5);
  const report = await killBuilds(largeRebuild, { program, kills, random });
  sayRow(`SIGKILL in a large rebuild, seed ${SEED}`, {
    kills,
    'while at work': report.hits,
    'reads meanwhile': report.reads,
    'torn or missing files': 0,
  });
  expect(report.hits).toBeGreaterThan(0);
});

test('servers: no event is lost either', async () => {
  const kills = Math.round(KILLS * SHARES.servers);
  const lanes = [10, 11].map(async (offset) => {
    const random = createRandom(SEED + offset);
    const report = await killServers({ program, kills, random });
    sayRow(`SIGKILL in a server's publish, seed ${SEED}`, {
      kills,
      'before the POST': report.hits,
      'reads meanwhile': report.reads,
      'POSTs sent twice': report.again,
      'torn or missing files or lost events': 0,
    });
  });
  await Promise.all(lanes);
});

type SabotageRow = readonly [name: string, kind: Kind, sabotages: readonly Sabotage[]];

const renameStaged = 'src/emit/rename-staged.ts';

const SABOTAGES: readonly SabotageRow[] = [
  [
    'files taken away before the new ones come',
    fullRebuild,
    [
      {
        file: renameStaged,
        replace: 'renameSync(temporary, path);',
        by: 'process.getBuiltinModule("node:fs").rmSync(path, { force: true });\n      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);\n      renameSync(temporary, path);',
      },
    ],
  ],
  [
    'a position that moves before its events are queued',
    incrementalBuild,
    [
      {
        file: 'src/publisher/announce.ts',
        replace: 'return store.write(async (writer) => {\n    const queued',
        by: 'await store.write((early) => movePublishedPosition(early, { ...report.position, generation }, now));\n  await new Promise((resolve) => setTimeout(resolve, 200));\n  return store.write(async (writer) => {\n    const queued',
      },
    ],
  ],
];

test("catches: a server's events that are queued after its position moved", {}, async () => {
  const [, , sabotages = []] = SABOTAGES.find(([, kind]) => kind === incrementalBuild) ?? [];
  const sabotaged = await bundleQuickSabotaged(...sabotages);
  const run = { program: sabotaged, kills: 30, random: createRandom(SEED) };
  await expect(killServers(run)).rejects.toThrow(/expected/);
});

test.each(SABOTAGES)('catches: %s', async (_name, kind, sabotages) => {
  const sabotaged = await bundleQuickSabotaged(...sabotages);
  const run = { program: sabotaged, kills: 30, random: createRandom(SEED) };
  await expect(killBuilds(kind, run)).rejects.toThrow(/expected/);
});
