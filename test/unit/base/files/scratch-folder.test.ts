// What a killed program leaves in the temporary folder: nothing where open files may be removed, and else not for long.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  makeScratchFolder,
  removeScratchFolder,
} from '../../../../src/base/files/scratch-folder.ts';
import { openBodies } from '../../../../src/publication/sources/ghost-address/bodies.ts';
import { openDifference } from '../../../../src/publication/store/import/difference.ts';
import { openStage } from '../../../../src/publication/store/import/import-stage.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const inOwnFolder = (folder = temporaryFolder()): string => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  return folder;
};

test('an open stage, difference or body has no name in the temporary folder', async ({ skip }) => {
  skip(process.platform === 'win32', 'Windows keeps the names of open files');
  const folder = inOwnFolder();
  const stage = openStage();
  const long = JSON.stringify('x'.repeat(10_000));
  for (let index = 0; index < 5_000; index += 1) {
    stage.add('members', { id: `m${index}`, keys: [`${index}`], references: [], row: long });
  }
  stage.finish();
  stage.flag('rejected', 'members', ['m1', 'm2']);
  const difference = openDifference();
  difference.add('changed', 'members', ['m1']);
  const bodies = await openBodies();
  await bodies.keep([{ id: '1'.padStart(24, '0'), isCut: false }]);
  await bodies.keep([{ id: '2'.padStart(24, '0'), title: 'ü', isCut: false }]);
  expect(readdirSync(folder)).toEqual([]);
  expect([...stage.rows('members')].flat()).toHaveLength(5_000);
  expect([...stage.flagged('rejected', 'members', ['m0', 'm2'])]).toEqual(['m2']);
  expect([...difference.ids('changed', 'members')]).toEqual([['m1']]);
  const titles: unknown[] = [];
  for await (const posts of bodies.read(() => true)) titles.push(...posts.map((one) => one.title));
  expect(titles).toEqual([undefined, 'ü']);
  stage.close();
  difference.close();
  await bodies.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('what a process left that has ended is removed at once', () => {
  const folder = inOwnFolder();
  const made = makeScratchFolder('reading');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const nameOf = (name: string, id: number): string =>
    basename(name).replace(`-${process.pid}-`, `-${id}-`);
  mkdirSync(join(folder, nameOf(made, pid)));
  // In another container the same id is of another process.
  const elsewhere = nameOf(made, pid).replace(hostMark(made), '-elsewhere');
  mkdirSync(join(folder, elsewhere));
  const next = makeScratchFolder('source');
  expect(readdirSync(folder).sort()).toEqual(
    [made, next, elsewhere].map((one) => basename(one)).sort(),
  );
});

/** What follows the process id in a name, up to what makes it unlike others. */
const hostMark = (made: string): string =>
  basename(made).slice(`prepress-reading-${process.pid}`.length, -7);

test('what was left a day ago is removed, and nothing else', () => {
  const folder = inOwnFolder();
  expect(tmpdir()).toBe(folder);
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['prepress-import-a', 'prepress-source-b', 'prepress-run-c', 'other']) {
    mkdirSync(join(folder, name));
    utimesSync(join(folder, name), old, old);
  }
  mkdirSync(join(folder, 'prepress-import-young'));
  const made = makeScratchFolder('source');
  expect(existsSync(made)).toBe(true);
  removeScratchFolder(made);
  expect(readdirSync(folder).sort()).toEqual(['other', 'prepress-import-young', 'prepress-run-c']);
});

test('a temporary folder that is absent is named, with TMPDIR', () => {
  const absent = inOwnFolder(join(temporaryFolder(), 'absent'));
  expect(() => makeScratchFolder('source')).toThrow(
    expect.objectContaining({
      code: 'FILE_FAILED',
      message: `No temporary folder can be made: there is no folder ${absent}.`,
      hint: expect.stringContaining('TMPDIR'),
    }),
  );
});
