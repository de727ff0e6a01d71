// SIGKILL at random moments of builds and of a server's publishes: the short form. The long one, and
// programs that were sabotaged, are in test/battery.
import { expect, test } from 'vitest';
import {
  firstBuild,
  fullRebuild,
  incrementalBuild,
  killBuilds,
  killServers,
} from '../battery/checks/random-kills.ts';
import { COMMAND } from '../battery/program.ts';
import { createRandom, SEED } from '../helpers/random.ts';

const KINDS = [firstBuild, fullRebuild, incrementalBuild] as const;

test('builds that are killed leave whole files, and the next one a clean tree', async () => {
  const run = { program: COMMAND, kills: 2 };
  for (const [at, kind] of KINDS.entries()) {
    const { kills } = await killBuilds(kind, { ...run, random: createRandom(SEED + at) });
    expect(kills, `seed ${SEED}`).toBe(2);
  }
});

test('servers that are killed lose no event, and start with a clean tree', async () => {
  const report = await killServers({ program: COMMAND, kills: 2, random: createRandom(SEED) });
  expect(report.kills, `seed ${SEED}`).toBe(2);
});
