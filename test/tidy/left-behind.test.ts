// The check at the end of each run, test/global-setup.ts, sees what it looks for; and a run that is interrupted clears all
// of it away.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../battery/program.ts';
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
  const found = findLeftBehind({ before, folders: [folder] }).map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining(ids));
  const all = new Set(listProcesses().map(({ life }) => life));
  expect(findLeftBehind({ before: all, folders: [folder] })).toEqual([]);
});

test('temporary files have a folder for each run', () => {
  expect(basename(tmpdir())).toMatch(/^prepress-run-/);
});

test.skipIf(skip)('a run that is interrupted leaves no process and no folder', async () => {
  const program = await bundleProgram('test/tidy/interrupted-child.ts');
  const interrupt = async (signals: readonly NodeJS.Signals[]) => {
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'exit');
    const ids: number[] = [];
    let folders: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('[')) folders = JSON.parse(line) as string[];
      else ids.push(Number(line));
      if (ids.length === 3 && folders.length === 3) break;
    }
    for (const signal of signals) child.kill(signal);
    const [code] = await closed;
    const standing = listProcesses().filter(({ id }) => ids.includes(id));
    return { code, standing, folders: folders.filter((folder) => existsSync(folder)) };
  };
  const clear = { standing: [], folders: [] };
  expect(await interrupt(['SIGINT'])).toEqual({ code: 130, ...clear });
  expect(await interrupt(['SIGINT', 'SIGINT'])).toEqual({ code: 130, ...clear });
  expect(await interrupt(['SIGTERM'])).toEqual({ code: 143, ...clear });
});
