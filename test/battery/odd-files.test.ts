// What else may stand, or be refused, where the tree is: a full file system of its own, one that is read
// only, rights that are missing, folders where files should be, links that lead outside.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectTree } from '../helpers/clean-tree.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { buildAmidFaults, createFaultScene, type FaultScene } from './checks/disk-faults.ts';
import { quickProgram } from './program.ts';
import { mustRun, runProgram } from './run-program.ts';
import { sayRow, sized } from './size.ts';
import { createSmallPublication } from './small-publication.ts';

const program = await quickProgram();

const mount = (folder: string, options: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
};
const remount = (folder: string, options: string): void => {
  execFileSync('mount', ['-o', `remount,${options}`, folder], { stdio: 'pipe' });
};

const findMountFault = (): string | null => {
  if (process.getuid?.() !== 0) return 'needs root to mount';
  const folder = join('/tmp', `prepress-mount-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    mount(folder, 'size=64k');
    execFileSync('umount', [folder]);
    return null;
  } catch {
    return 'tmpfs cannot be mounted here';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
const MOUNT_FAULT = findMountFault();

const ROOM_KIB = 8_192;

/** A scene whose output is a file system of its own. */
const createMountedScene = (): Promise<FaultScene> =>
  createFaultScene(program, (folder) => {
    const output = join(folder, 'output');
    mkdirSync(output);
    mount(output, `size=${ROOM_KIB}k`);
    onTestFinished(() => {
      execFileSync('umount', [output]);
    });
  });

const usedKib = (folder: string): number =>
  Number(execFileSync('df', ['--output=used', '-k', folder]).toString().split('\n')[1]);

const fillDisk = async (sizes: number): Promise<{ builds: number; refused: number }> => {
  const scene = await createMountedScene();
  const output = join(scene.folder, 'output');
  const count = { builds: 0, refused: 0 };
  for (let step = 0; step < sizes; step += 1) {
    const before = usedKib(output);
    // From not a page to spare up to what the build needs and more.
    const spareKib = 4 + Math.round((step * 512) / sizes);
    const { isRefused } = await buildAmidFaults(
      scene,
      (start) => {
        remount(output, `size=${before + spareKib}k`);
        return runProgram(start);
      },
      { heal: () => remount(output, `size=${ROOM_KIB}k`) },
    );
    count.builds += 1;
    count.refused += Number(isRefused);
  }
  return count;
};

describe.skipIf(MOUNT_FAULT !== null)(`an output of its own (${MOUNT_FAULT ?? 'tmpfs'})`, () => {
  test('full at any size: refused with a reason, nothing truncated', async () => {
    const { builds, refused } = await fillDisk(sized({ short: 3, long: 64 }));
    sayRow('a full file system', { sizes: builds, 'refused with a reason': refused, truncated: 0 });
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(builds);
  });

  test('read-only for a while', async () => {
    const scene = await createMountedScene();
    const output = join(scene.folder, 'output');
    const { isRefused } = await buildAmidFaults(
      scene,
      (start) => {
        remount(output, 'ro');
        return runProgram(start);
      },
      { heal: () => remount(output, 'rw') },
    );
    expect(isRefused).toBe(true);
  });
});

const NOBODY = 65_534;

const give = (folder: string, uid: number): void => {
  chownSync(folder, uid, uid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chownSync(join(entry.parentPath, entry.name), uid, uid);
  }
};

/** Each of these folders in turn takes no new file; returns how many there are. */
const takeRights = async (): Promise<number> => {
  const scene = await createFaultScene(program);
  give(scene.folder, NOBODY);
  const closed = sized({
    short: ['output/content/posts'],
    long: ['output/content', 'output/content/posts', 'output/content/posts/slug'],
  });
  for (const name of closed) {
    const path = join(scene.folder, name);
    const { isRefused } = await buildAmidFaults(
      scene,
      (start) => {
        chmodSync(path, 0o500);
        return runProgram({ ...start, uid: NOBODY });
      },
      {
        heal: () => {
          chmodSync(path, 0o700);
        },
      },
    );
    give(scene.folder, NOBODY);
    expect(isRefused, name).toBe(true);
  }
  return closed.length;
};

describe.skipIf(process.getuid?.() !== 0)('without rights (needs root to give them up)', () => {
  test('refused with a reason', async () => {
    const builds = await takeRights();
    sayRow('folders without the right to write', { builds, refused: builds });
  });
});

test('a folder where a file should be', async () => {
  const scene = await createFaultScene(program);
  const list = join(scene.content, 'posts/index.json');
  // An empty one makes way.
  const inWay = await buildAmidFaults(scene, (start) => {
    rmSync(list);
    mkdirSync(list);
    return runProgram(start);
  }).catch((error: unknown) => error);
  expect(inWay).toMatchObject({ isRefused: false });
  // One that holds something is somebody's: the build says so, and heals once it is gone.
  rmSync(list);
  mkdirSync(list);
  writeFileSync(join(list, 'theirs.txt'), 'theirs');
  const refused = await runProgram(scene.start);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('posts/index.json');
  expect(existsSync(join(list, 'theirs.txt'))).toBe(true);
  rmSync(list, { recursive: true });
  await mustRun(scene.start);
});

const LINKED = sized({
  short: ['posts', 'posts/slug/post-3'],
  long: ['posts', 'posts/slug', 'tags', 'posts/slug/post-3', 'settings'],
});

test('links that lead outside are never followed', async () => {
  const scene = await createFaultScene(program);
  for (const name of LINKED) {
    const outside = temporaryFolder();
    const place = join(scene.content, name);
    const goal = readTree(scene.content);
    // What stood there lies outside now, behind a link, beside a file of somebody's.
    cpSync(place, outside, { recursive: true });
    writeFileSync(join(outside, 'theirs.txt'), 'theirs');
    const before = [...readTree(outside)];
    rmSync(place, { recursive: true });
    symlinkSync(outside, place);
    await mustRun({ ...scene.start, args: ['build', '--full'] });
    expect([...readTree(outside)]).toEqual(before);
    expectTree(scene.content, goal);
    // The same with a build of edits, after the real folder itself was moved away.
    renameSync(place, join(outside, 'moved'));
    symlinkSync(join(outside, 'moved'), place);
    const moved = [...readTree(outside)];
    await buildAmidFaults(scene, runProgram);
    expect([...readTree(outside)]).toEqual(moved);
  }
});

test('an output that cannot be made is said at once', async () => {
  const folder = temporaryFolder();
  await createSmallPublication(program, folder);
  const args = ['build', '--output', '/proc/prepress/output'];
  const { code, stderr } = await runProgram({ program, folder, args });
  expect(code).toBe(1);
  expect(stderr).toMatch(/The output cannot be written: no folder can be made in \/proc\./);
});
