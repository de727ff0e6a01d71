// Power cuts on real file systems: while builds run, the disk is copied as it would be if the power failed,
// and each copy is mounted, looked at, and built again. 300 copies in the long form.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { cleanTree } from '../helpers/clean-tree.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { DATABASE } from '../helpers/serve.ts';
import { checkAfterCut, trustCopy } from './checks/power-cut.ts';
import { type FileSystem, findLoopFault, type LoopDisk, openLoopDisk } from './loop-disk.ts';
import { quickProgram } from './program.ts';
import { runProgram, type Start } from './run-program.ts';
import { sayRow, sized } from './size.ts';
import { createSmallPublication, editBackOrForth } from './small-publication.ts';

const IMAGES: Readonly<Record<FileSystem, number>> = sized({
  short: { ext4: 16, xfs: 8 },
  long: { ext4: 200, xfs: 100 },
});
/** Of each build. */
const CUTS = 3;

const program = await quickProgram();

type Cut = { readonly image: string; readonly wasSaid: boolean };

/** Builds, and copies the disk at random moments of it, and once after it. */
const cutBuild = async (
  disk: LoopDisk,
  start: Start,
  moments: readonly number[],
): Promise<Cut[]> => {
  let isDone = false;
  const built = runProgram(start).then(({ code, stderr }) => {
    expect(code, stderr).toBe(0);
    isDone = true;
  });
  const cuts: Cut[] = [];
  let passed = 0;
  for (const moment of moments) {
    await sleep(moment - passed);
    passed = moment;
    const wasSaid = isDone;
    cuts.push({ image: await disk.cut(), wasSaid });
  }
  await built;
  cuts.push({ image: await disk.cut(), wasSaid: true });
  return cuts;
};

type Count = { images: number; announced: number };

const checkImages = async (used: string, kind: FileSystem, images: number): Promise<Count> => {
  const disk = openLoopDisk(kind);
  onTestFinished(disk.close);
  const random = createRandom(SEED);
  const folder = join(disk.folder, 'site');
  const start: Start = { program: used, folder, args: ['build'] };
  mkdirSync(folder);
  await createSmallPublication(program, folder);
  const count: Count = { images: 0, announced: 0 };
  let longest = 400;
  for (let round = 0; count.images < images; round += 1) {
    const clean = await editAndSync(folder, round);
    const moments = Array.from({ length: CUTS }, () => random() * longest).sort((a, b) => a - b);
    const started = performance.now();
    const cuts = await cutBuild(disk, start, moments);
    longest = Math.min(longest, performance.now() - started);
    for (const { image, wasSaid } of cuts) {
      count.images += 1;
      const { announced } = await disk.withImage(image, async (mounted) => {
        const copy = join(mounted, 'site');
        trustCopy(copy);
        return checkAfterCut({ folder: copy, clean, generation: round + 1, wasSaid });
      });
      count.announced += Number(announced);
    }
  }
  return count;
};

/** The first build is of the publication as it is; then each is of an edit, which is durable before. */
const editAndSync = async (folder: string, round: number): Promise<ReadonlyMap<string, string>> => {
  const shell = new (loadDriver())(join(folder, DATABASE), { timeout: 60_000 });
  try {
    if (round > 0) editBackOrForth(shell, round - 1);
    shell.pragma('wal_checkpoint(TRUNCATE)');
    return await cleanTree(shell);
  } finally {
    shell.close();
  }
};

const KINDS: readonly FileSystem[] = ['ext4', 'xfs'];

describe.each(KINDS)('power cuts on %s', (kind) => {
  const fault = findLoopFault(kind);

  test.skipIf(fault !== null)(`nothing announced is lost (${fault ?? 'loop device'})`, async () => {
    const { images, announced } = await checkImages(program, kind, IMAGES[kind]);
    sayRow(`power cut on ${kind}, seed ${SEED}`, {
      images,
      'after the announcement': announced,
      lost: 0,
    });
    expect(announced).toBeGreaterThan(0);
  });
});
