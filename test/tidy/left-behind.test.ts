// The check at the end of each run, test/global-setup.ts, sees what it looks for.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findLeftBehind, listProcesses } from '../helpers/left-behind.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const skip = existsSync('/proc/self/stat') ? false : 'needs /proc';

test.skipIf(skip)('a process that nobody waits for is found, wherever it works', () => {
  const before = new Set(listProcesses().map(({ life }) => life));
  const start = (shell: string, cwd: string): number =>
    Number(execFileSync('sh', ['-c', `${shell} >/dev/null 2>&1 & echo $!`], { cwd, env: {} }));
  const folder = temporaryFolder();
  const ids = [start('sleep 600', '/'), start('setsid sleep 600', folder)];
  onTestFinished(() => {
    for (const id of ids) process.kill(id, 'SIGKILL');
  });
  const found = findLeftBehind({ before, folder }).map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining(ids));
  const all = new Set(listProcesses().map(({ life }) => life));
  expect(findLeftBehind({ before: all, folder })).toEqual([]);
});

test('temporary files have a folder for each run', () => {
  expect(basename(tmpdir())).toMatch(/^prepress-run-/);
});
