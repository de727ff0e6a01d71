// Deploys of a server: one at a time for each target, of the newest build, tried again after waits that grow.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { outputSourceOf } from '../../../../src/publish/after-build/deploy-destinations.ts';
import { type Deploys, retryWaitMs, startDeploys } from '../../../../src/publish/deploy/deploys.ts';
import { readTargetState, stateFileOf } from '../../../../src/publish/deploy/target-state.ts';
import {
  createDeployingSite,
  type WatchedTarget,
  watchTarget,
} from '../../../helpers/deploying-site.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const HOUR = 3_600_000;

const createSite = async ({ retryMs = 1, lookMs = HOUR } = {}) => {
  const site = await createDeployingSite();
  const published_at = '2026-01-01T10:00:00.000Z';
  const id = site.insert('posts', { slug: 'one', status: 'published', published_at });
  await site.build();
  const other = watchTarget(site, join(temporaryFolder(), 'other'));
  const log: string[] = [];
  const start = (...targets: readonly WatchedTarget[]): Deploys => {
    const deploys = startDeploys({
      source: outputSourceOf(site.deps),
      targets: targets.map((target) => ({
        ...target.destination(),
        destination: target.destination,
      })),
      waitMs: HOUR,
      retryMs,
      lookMs,
      listeners: {
        onCarried: (_, { generation }) => log.push(`carried ${generation}`),
        onFailed: (_, error, waitMs) => log.push(`${(error as PrepressError).code} ${waitMs}`),
      },
    });
    onTestFinished(() => deploys.close());
    deploys.wake();
    return deploys;
  };
  const edit = async (title: string): Promise<void> => {
    site.shell.prepare('UPDATE posts SET title = ? WHERE id = ?').run(title, id);
    await site.build();
  };
  const stateOf = ({ destination }: WatchedTarget) => {
    const { id: target, name } = destination();
    return readTargetState(stateFileOf(join(site.folder, 'deploys'), target), name);
  };
  return { ...site, other, log, start, edit, stateOf };
};

const refuse = (): never => {
  throw new PrepressError('DEPLOY_FAILED', 'The store is away.');
};

test('waits grow to five minutes', () => {
  const waits = [1, 2, 3, 9, 10, 1_000].map((failures) => retryWaitMs(failures));
  expect(waits).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
});

test('a target that lacks files, lost or added, gets them without a publish', async () => {
  const { target, log, start, output, deps } = await createSite({ lookMs: 5 });
  start(target);
  await eventually(() => expect(log).toContain('carried 1'));
  rmSync(target.folder, { recursive: true });
  await eventually(() => expect(target.tree()).toEqual(output()));
  // As a picture that "prepress build" places beside the server.
  writeFileSync(join(deps.paths.output, 'added.png'), 'picture');
  await eventually(() => expect(target.tree()).toEqual(output()));
});

test('what fails is tried again until it is there, and each wait is longer', async () => {
  const { target, log, start, output, stateOf, clock } = await createSite();
  let tries = 0;
  target.onStep = () => {
    tries += 1;
    if (tries <= 4) refuse();
  };
  const deploys = start(target);
  const lacking = deploys.whenThere(1, {
    until: clock.ms + HOUR,
    signal: new AbortController().signal,
  });
  expect(await lacking).toEqual([]);
  expect(log).toEqual([1, 2, 4, 8].map((ms) => `DEPLOY_FAILED ${ms}`).concat('carried 1'));
  expect(target.tree()).toEqual(output());
  expect(stateOf(target)).toMatchObject({ generation: 1, failures: 0, failingSince: null });
});

test('builds that come while one is carried are carried as one', async () => {
  const { target, log, start, edit, output } = await createSite();
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let isHeld = false;
  target.onStep = () => {
    if (isHeld) return;
    isHeld = true;
    return held;
  };
  const deploys = start(target);
  await eventually(() => expect(isHeld).toBe(true));
  for (const title of ['Two', 'Three', 'Four']) {
    await edit(title);
    deploys.wake();
  }
  go();
  await eventually(() => expect(log).toEqual(['carried 1', 'carried 4']));
  expect(target.tree()).toEqual(output());
});

test('a build is waited for at every target, but not at one that has been down for long', async () => {
  const { target, other, start, edit, clock, stateOf } = await createSite();
  const { signal } = new AbortController();
  other.onStep = refuse;
  const deploys = start(target, other);
  await eventually(() => expect(stateOf(other).failures).toBeGreaterThan(0));
  let isOver = false;
  const waiting = deploys.whenThere(1, { until: clock.ms + 2 * HOUR, signal }).then((lacking) => {
    isOver = true;
    return lacking;
  });
  await eventually(() => expect(stateOf(other).failures).toBeGreaterThan(3));
  await eventually(() => expect(stateOf(target).generation).toBe(1));
  expect(isOver).toBe(false);
  clock.ms += HOUR;
  const { name } = other.destination();
  expect(await waiting).toEqual([name]);
  await edit('Two');
  deploys.wake();
  expect(await deploys.whenThere(2, { until: clock.ms + HOUR, signal })).toEqual([name]);
  expect(stateOf(target).generation).toBe(2);
  other.onStep = () => undefined;
  await eventually(() => expect(stateOf(other).generation).toBe(2));
  expect(await deploys.whenThere(2, { until: clock.ms + HOUR, signal })).toEqual([]);
});

test('the waiting ends at its time, also for a target that only takes long', async () => {
  const { target, start, clock } = await createSite();
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  target.onStep = () => held;
  const deploys = start(target);
  const { signal } = new AbortController();
  const lacking = await deploys.whenThere(1, { until: clock.ms, signal });
  expect(lacking).toEqual([target.destination().name]);
  go();
});

test('a deploy by hand ends the wait of a server for its next try', async () => {
  const { target, deploy, start, stateOf, clock, log } = await createSite({ retryMs: HOUR });
  target.onStep = refuse;
  start(target);
  await eventually(() => expect(stateOf(target).failures).toBe(1));
  target.onStep = () => undefined;
  clock.ms += 1;
  await deploy({ isWhole: true });
  await eventually(() => expect(log.at(-1)).toBe('carried 1'));
  expect(stateOf(target).failures).toBe(0);
});

test('a number of a publication that was put back is not taken for a build', async () => {
  const { target, start, stateOf, clock, folder } = await createSite();
  const deploys = start(target);
  const { signal } = new AbortController();
  expect(await deploys.whenThere(1, { until: clock.ms + HOUR, signal })).toEqual([]);
  const file = stateFileOf(join(folder, 'deploys'), target.destination().id);
  writeFileSync(file, JSON.stringify({ ...stateOf(target), generation: 50 }));
  expect(await deploys.whenThere(1, { until: clock.ms, signal })).toHaveLength(1);
  rmSync(file);
  expect(await deploys.whenThere(1, { until: clock.ms, signal })).toHaveLength(1);
});
