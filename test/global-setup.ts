// Around a whole run of tests: it has folders for temporary files of its own, and leaves no process behind, and no
// file in them either, but where programs are killed.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLeftBehind, listProcesses, type Process } from './helpers/left-behind.ts';

const SHARED_MEMORY = '/dev/shm';

/** For processes that were told to end and are not gone yet. */
const LOOKS = 200;
const PAUSE_MS = 100;

export default function setup(): () => Promise<void> {
  const before = new Set(listProcesses().map(({ life }) => life));
  const folders = [tmpdir(), SHARED_MEMORY]
    .filter((parent) => existsSync(parent))
    .map((parent) => mkdtempSync(join(parent, 'prepress-run-')));
  // Some tests act as another user.
  for (const folder of folders) chmodSync(folder, 0o755);
  const [disk = '', memory = disk] = folders;
  // Taken over by the processes in which the tests run.
  process.env.TMPDIR = disk;
  process.env.PREPRESS_TEST_MEMORY = memory;
  return async () => {
    const processes = await untilNone(() => findLeftBehind({ before, folder: disk }));
    const files = folders.flatMap((folder) =>
      readdirSync(folder).map((name) => join(folder, name)),
    );
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    // A test of a sabotaged source may end anywhere.
    if (process.env.PREPRESS_TEST_SABOTAGE !== undefined) return;
    const mayStay = process.env.PREPRESS_TEST_FILES_MAY_STAY !== undefined;
    const left = [
      ...processes.map(({ id, command }) => `process ${id}: ${command}`),
      ...(mayStay ? [] : files),
    ];
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`The tests left behind (a test that failed may be why):\n${left.join('\n')}`);
  };
}

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
