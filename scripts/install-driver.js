// Installs the SQLite driver of Node.js 20 into a clone, as a part of `npm ci`. Node.js 22 and newer have one that
// ships compiled; npm leaves that one out on Node.js 20. Nothing but npm's packages is downloaded where the headers of
// Node.js stand beside it.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, 'drivers/node-20');
const NAME = 'better-sqlite3-node20';
const LINK = join(ROOT, 'node_modules', NAME);

const isLoadable = () => {
  try {
    new (createRequire(import.meta.url)(NAME))(':memory:').close();
    return true;
  } catch {
    return false;
  }
};

/** What npm told this program about itself is not for the npm in the driver's folder. */
const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:npm_(?:package|lifecycle|command)|npm_config_(?:local_)?prefix|INIT_CWD)/i.test(name),
    ),
  );

const run = (program, args, cwd) => {
  const { status, error } = spawnSync(program, args, { cwd, env: environment(), stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`);
};

const linkDriver = () => {
  rmSync(LINK, { recursive: true, force: true });
  symlinkSync('../drivers/node-20/node_modules/better-sqlite3', LINK, 'junction');
};

const compile = () => {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], HOME);
  const headers = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(headers, 'include/node/node.h'));
  const gyp = process.env.npm_config_node_gyp ?? 'node-gyp';
  const [program, first] = gyp.endsWith('.js') ? [process.execPath, [gyp]] : [gyp, []];
  const args = [...first, 'rebuild', '--release', ...(hasHeaders ? ['--nodedir', headers] : [])];
  run(program, args, join(HOME, 'node_modules/better-sqlite3'));
};

if (Number(process.versions.node.split('.')[0]) < 22 && !isLoadable()) {
  try {
    linkDriver();
    if (!isLoadable()) compile();
  } catch (error) {
    console.error(`The SQLite driver for Node.js 20 was not compiled: ${error.message}`);
    console.error('It needs Python 3, make and a C++ compiler; Node.js 22 and newer need none.');
  }
}
