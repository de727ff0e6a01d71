// The driver of a clone whose link to it was taken away, as `npm install` of another package does on Node.js 20.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { driverFor } from '../../../../src/base/sqlite/driver.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../../..');

test('a clone whose link to it is gone finds it where it was installed', async () => {
  const clone = temporaryFolder();
  cpSync(join(ROOT, 'dist'), join(clone, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(clone, 'package.json'));
  const isOld = driverFor(process.versions.node) !== 'better-sqlite3';
  const home = join(clone, 'drivers', isOld ? 'node-20' : 'node-22', 'node_modules');
  mkdirSync(home, { recursive: true });
  const installed = createRequire(import.meta.url).resolve(driverFor(process.versions.node));
  // The package, of which `main` is a file in `lib`.
  symlinkSync(dirname(dirname(installed)), join(home, 'better-sqlite3'));
  const init = [join(clone, 'dist/prepress.js'), 'init', '--empty'];
  const { stdout } = await promisify(execFile)(process.execPath, init, { cwd: clone });
  expect(stdout).toContain('Created');
});
