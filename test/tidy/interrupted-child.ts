// A run of tests for left-behind.test.ts, which interrupts it: it says what it started and made, and waits.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import setup from '../global-setup.ts';

setup();
const { TMPDIR = '', PREPRESS_TEST_MEMORY = '', PREPRESS_TEST_BUNDLES = '' } = process.env;
const folders = [TMPDIR, PREPRESS_TEST_MEMORY, PREPRESS_TEST_BUNDLES];
for (const folder of folders) mkdirSync(join(folder, 'of-a-test'));
const start = (command: string, cwd: string, detached: boolean): void => {
  spawn('sh', ['-c', command], { cwd, detached, env: {}, stdio: 'inherit' });
};
// One that a test waits for, one of a group of its own whose parent ends, and one that hears no other signal.
start('echo $$; sleep 600', '/', false);
start('sleep 600 & echo $!', TMPDIR, true);
start('trap "" INT TERM; echo $$; sleep 600; true', '/', true);
console.log(JSON.stringify(folders));
setInterval(() => undefined, 60_000);
