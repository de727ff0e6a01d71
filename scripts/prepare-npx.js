// In a clone, the first `npx prepress` installs the clone into npm's cache, as a link; where that is interrupted, each later
// call fails. So it is done as a part of `npm ci`. Where it cannot be, the first call does it after all.
import { spawnSync } from 'node:child_process';

spawnSync('npx', ['--ignore-scripts', 'prepress', '--version'], {
  stdio: 'ignore',
  timeout: 60_000,
  shell: process.platform === 'win32',
});
