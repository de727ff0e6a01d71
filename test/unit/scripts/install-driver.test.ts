// `npm` and node-gyp are stand-ins here: one puts the driver's package down as the registry has it, the other notes that it
// compiled, and takes what this clone has compiled.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { NODE_20_DRIVER } from '../../../src/base/optional-packages.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ADDON = 'better-sqlite3/build/Release/better_sqlite3.node';
const DRIVER = 'node_modules/better-sqlite3-node20';
const IS_OLD = Number(process.versions.node.split('.')[0]) < 22;

const makeMachine = (folder: string) => {
  const modules = dirname(realpathSync(join(ROOT, DRIVER)));
  const compiled = join(folder, 'compiled');
  const gyp = join(folder, 'gyp.js');
  const npm = `#!/bin/sh\ncp -r "${modules}" . && rm -rf node_modules/better-sqlite3/build\n`;
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), npm, { mode: 0o755 });
  writeFileSync(
    gyp,
    `const { appendFileSync, cpSync } = require('node:fs');
     appendFileSync(${JSON.stringify(compiled)}, '.');
     cpSync(${JSON.stringify(join(modules, ADDON))}, 'build/Release/better_sqlite3.node');`,
  );
  appendFileSync(compiled, '');
  return {
    compiled: () => readFileSync(compiled, 'utf8').length,
    install: async (name: string, cache = join(folder, 'cache')): Promise<string> => {
      const clone = join(folder, name);
      const script = 'scripts/install-driver.js';
      for (const path of [script, 'drivers/node-20/package.json']) {
        cpSync(join(ROOT, path), join(clone, path));
      }
      mkdirSync(join(clone, 'node_modules'));
      const { stderr } = await promisify(execFile)(process.execPath, [script], {
        cwd: clone,
        env: {
          PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
          npm_config_cache: cache,
          npm_config_node_gyp: gyp,
        },
      });
      return existsSync(join(clone, DRIVER, 'build/Release/better_sqlite3.node'))
        ? stderr
        : `none: ${stderr}`;
    },
  };
};

test('the drivers of a clone are those of the package', () => {
  const readPackage = (folder: string) =>
    JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const { optionalDependencies } = readPackage('.');
  const { 'better-sqlite3': driver } = optionalDependencies;
  expect(readPackage('drivers/node-22').dependencies).toEqual({ 'better-sqlite3': driver });
  const [[name, version] = []] = Object.entries(readPackage('drivers/node-20').dependencies);
  expect(NODE_20_DRIVER.spec).toBe(`npm:${name}@${version}`);
});

test.runIf(IS_OLD)('a machine compiles the SQLite driver of Node.js 20 once', async () => {
  const folder = temporaryFolder();
  const machine = makeMachine(folder);
  const prebuilds = join(folder, 'cache/_prebuilds');
  expect(await Promise.all(['one', 'at-once'].map((name) => machine.install(name)))).toEqual([
    '',
    '',
  ]);
  const first = machine.compiled();
  expect(await machine.install('two')).toBe('');
  expect(machine.compiled()).toBe(first);
  const [kept = '', ...drafts] = readdirSync(prebuilds);
  expect(drafts).toEqual([]);

  truncateSync(join(prebuilds, kept), 100_000);
  expect(await machine.install('three')).toBe('');
  expect(await machine.install('four')).toBe('');
  expect(machine.compiled()).toBe(first + 1);

  const unwritable = join(folder, 'bin/npm');
  expect(await machine.install('five', unwritable)).toMatch(/^The compiled .* is not kept/);
});
