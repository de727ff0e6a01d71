// SIGKILL at a random moment of each kind of build, and of a server's publish. Many, and programs that were sabotaged,
// are in test/battery.
import { expect, test } from 'vitest';
import {
  brokenBuild,
  firstBuild,
  fullRebuild,
  incrementalBuild,
  killBuilds,
  killServers,
} from '../battery/checks/random-kills.ts';
import { COMMAND } from '../battery/program.ts';
import { createRandom, SEED } from '../helpers/random.ts';

const KINDS = [firstBuild, fullRebuild, incrementalBuild, brokenBuild] as const;

test.each(KINDS)(
  '$name: killed ones leave whole files, and the next a clean tree',
  async (kind) => {
    const random = createRandom(SEED + KINDS.indexOf(kind));
    const { kills } = await killBuilds(kind, { program: COMMAND, kills: 1, random });
    expect(kills, `seed ${SEED}`).toBe(1);
  },
);

test('servers that are killed lose no event, and start with a clean tree', async () => {
  const report = await killServers({ program: COMMAND, kills: 1, random: createRandom(SEED) });
  expect(report.kills, `seed ${SEED}`).toBe(1);
});
