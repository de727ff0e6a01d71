// SIGKILL at random moments of builds and of a server's publishes, with four readers at each tree: 10 in
// the short form, 5,000 in the long one. PREPRESS_SEED repeats a run.
import { test } from 'vitest';
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
import { quickProgram } from './program.ts';
import { IS_LONG, sayRow, sized } from './size.ts';

const KILLS = sized({ short: 10, long: 5_000 });
/** Of each of four kinds of build, and of each of two servers. */
const SHARES = { builds: 0.2, servers: 0.2 } as const;

const program = await quickProgram();

const KINDS: readonly Kind[] = [firstBuild, fullRebuild, incrementalBuild, brokenBuild].concat(
  IS_LONG ? largeRebuild : [],
);
/** Each of them replaces thousands of files. */
const LARGE_KILLS = 60;

test('builds: no torn file, no missing target, a restart equals a clean build', {}, async () => {
  const share = Math.round(KILLS * SHARES.builds);
  const lanes = KINDS.map(async (kind, at) => {
    const kills = kind === largeRebuild ? LARGE_KILLS : share;
    const report = await killBuilds(kind, { program, kills, random: createRandom(SEED + at) });
    sayRow(`SIGKILL in a ${kind.name}, seed ${SEED}`, {
      kills,
      'while at work': report.hits,
      'reads meanwhile': report.reads,
      'torn or missing files': 0,
    });
  });
  await Promise.all(lanes);
});

test('servers: no event is lost either', async () => {
  const kills = Math.round(KILLS * SHARES.servers);
  const lanes = sized({ short: [10], long: [10, 11] }).map(async (offset) => {
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
