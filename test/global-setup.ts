// Around a whole run of tests: it has folders for temporary files of its own, and leaves no process behind, and no
// file in them either, but where programs are killed. Nor does a run that is interrupted.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  clearRun,
  findLeftBehind,
  listProcesses,
  type Process,
  removeFolders,
} from './helpers/left-behind.ts';

const SHARED_MEMORY = '/dev/shm';
/** Inside node_modules, so that bundles of tests find the packages. */
const CACHE = join(import.meta.dirname, '../node_modules/.cache');

/** With the exit codes of a program that they end. */
const INTERRUPTS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Between two looks at whether npm is there still, which tells its script nothing when it is ended itself. */
const PARENT_MS = 500;

/** For processes that were told to end and are not gone yet. */
const LOOKS = 200;
const PAUSE_MS = 100;

/** Now and then Vitest waits for a process of its own that has nothing left to do. */
const EXIT_MS = 5_000;

export default function setup(): () => Promise<void> {
  const before = new Set(listProcesses().map(({ life }) => life));
  mkdirSync(CACHE, { recursive: true });
  const make = (parent: string): string => mkdtempSync(join(parent, 'prepress-run-'));
  const [disk, bundles] = [make(tmpdir()), make(CACHE)];
  const memory = existsSync(SHARED_MEMORY) ? make(SHARED_MEMORY) : disk;
  const folders = [...new Set([disk, memory, bundles])];
  clearOnExit(() => clearRun({ before, folders }));
  // Some tests act as another user.
  for (const folder of folders) chmodSync(folder, 0o1777);
  // Taken over by the processes in which the tests run.
  process.env.TMPDIR = disk;
  process.env.PREPRESS_TEST_MEMORY = memory;
  process.env.PREPRESS_TEST_BUNDLES = bundles;
  return async () => {
    const processes = await untilNone(() => findLeftBehind({ before, folders }));
    const files = [disk, memory].flatMap((folder) =>
      readdirSync(folder).map((name) => join(folder, name)),
    );
    removeFolders(folders);
    // A test of a sabotaged source may end anywhere.
    if (process.env.PREPRESS_TEST_SABOTAGE !== undefined) return;
    const mayStay = process.env.PREPRESS_TEST_FILES_MAY_STAY !== undefined;
    setTimeout(() => process.exit(), EXIT_MS).unref();
    const left = [
      ...processes.map(({ id, command }) => `process ${id}: ${command}`),
      ...(mayStay ? [] : files),
    ];
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`The tests left behind (a test that failed may be why):\n${left.join('\n')}`);
  };
}

/**
 * Of an interrupted run only this process is sure to be there still, and vitest ends it without a teardown. Signals that
 * come while it clears away change nothing: their listeners stay.
 */
const clearOnExit = (clear: () => void): void => {
  process.once('exit', clear);
  for (const [signal, code] of INTERRUPTS) {
    process.prependListener(signal, () => process.exit(code));
  }
  const { ppid } = process;
  if (process.env.npm_command === undefined) return;
  setInterval(() => process.ppid !== ppid && process.kill(process.pid), PARENT_MS).unref();
};

/** Those that are left are ended, so that none outlives the run. */
const untilNone = async (find: () => readonly Process[]): Promise<readonly Process[]> => {
  let found = find();
  for (let looks = 1; looks < LOOKS && found.length > 0; looks += 1) {
    await sleep(PAUSE_MS);
    found = find();
  }
  for (const { id } of found) process.kill(id, 'SIGKILL');
  return found;
};
