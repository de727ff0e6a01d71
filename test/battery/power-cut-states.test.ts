// Power cuts, played through: what a build did to its files is recorded with every byte, then played back
// up to a moment, without some of what no sync had made durable by then. 5,000 such states in the long form.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanTree, SITE } from '../helpers/clean-tree.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import { openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { checkAfterCut, trustCopy } from './checks/power-cut.ts';
import { quickProgram } from './program.ts';
import {
  listUnsynced,
  parseRecording,
  type Recording,
  readDisk,
  writeCrashState,
} from './recorded-disk.ts';
import { mustRun, type Start } from './run-program.ts';
import { sayRow, sized } from './size.ts';
import { createSmallPublication, editBackOrForth } from './small-publication.ts';
import { STRACE_MISSING, traceWithBytes } from './strace.ts';

const STATES = sized({ short: 24, long: 5_000 });

const program = await quickProgram();

type Scene = {
  readonly recording: Recording;
  readonly clean: ReadonlyMap<string, string>;
  readonly generation: number;
};

type SceneName = 'first build' | 'incremental build' | 'full rebuild';

/** Records a build;  */
const record = async (name: SceneName): Promise<Scene> => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder);
  const shell = openShell(folder);
  const start: Start = { program, folder, args: ['build'] };
  const isFirst = name === 'first build';
  if (!isFirst) await mustRun({ ...start, program });
  if (name === 'incremental build') editBackOrForth(shell, 0);
  if (name === 'full rebuild') {
    // Every file changes, so that the file system is synced as a whole.
    shell.prepare("UPDATE settings SET value = 'https://other.test' WHERE key = 'url'").run();
    shell.prepare("UPDATE posts SET title = title || ' again'").run();
    shell.prepare("UPDATE tags SET name = name || ' again'").run();
  }
  // Without its log: what was committed before the build is durable.
  shell.pragma('wal_checkpoint(TRUNCATE)');
  const before = readDisk(folder);
  const recording = parseRecording(await traceWithBytes(start), folder, before);
  const siteUrl = name === 'full rebuild' ? 'https://other.test' : SITE;
  return { recording, clean: await cleanTree(shell, siteUrl), generation: isFirst ? 1 : 2 };
};

/** What is lost of that which may be: nothing, all, the newest, or a part by chance. */
const chooseLost = (open: readonly number[], random: () => number): ReadonlySet<number> => {
  const manner = random();
  if (manner < 0.1) return new Set();
  if (manner < 0.4) return new Set(open);
  if (manner < 0.5) return new Set(open.slice(-1));
  const share = random();
  return new Set(open.filter(() => random() < share));
};

const checkStates = async (
  { recording, clean, generation }: Scene,
  states: number,
  random: () => number,
): Promise<number> => {
  const { ops } = recording;
  let announced = 0;
  const parent = mkdtempSync(join(tmpdir(), 'prepress-cut-'));
  try {
    for (let state = 0; state < states; state += 1) {
      // Spread over the build; the last is its end.
      const isEnd = state === states - 1;
      const moment = isEnd ? ops.length : Math.ceil(((state + random()) / states) * ops.length);
      const lost = chooseLost(listUnsynced(ops, moment), random);
      const folder = join(parent, String(state));
      writeCrashState(recording, { moment, lost }, folder);
      trustCopy(folder);
      const wasSaid = ops
        .slice(0, moment)
        .some((op) => op.kind === 'said' && op.text.startsWith('Built'));
      const result = await checkAfterCut({ folder, clean, generation, wasSaid });
      announced += Number(result.announced);
      rmSync(folder, { recursive: true });
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
  return announced;
};

const SCENES: readonly SceneName[] = ['first build', 'incremental build', 'full rebuild'];

describe.skipIf(STRACE_MISSING !== null)(`power cuts (${STRACE_MISSING ?? 'strace'})`, () => {
  test.each(SCENES)('%s: nothing announced is lost', async (name) => {
    const scene = await record(name);
    const states = Math.round(STATES / SCENES.length);
    const announced = await checkStates(scene, states, createRandom(SEED));
    sayRow(`power cut in a ${name}, seed ${SEED}`, {
      operations: scene.recording.ops.length,
      states,
      'after the announcement': announced,
      lost: 0,
    });
    expect(announced).toBeGreaterThan(0);
    expect(announced).toBeLessThan(states);
  });
});
