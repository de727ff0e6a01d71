// Installs the SQLite driver into a clone where npm left it out, as a part of `npm ci`. On Node.js 22 and newer it ships
// compiled, and npm leaves it out where Python is absent, since it sees that it could be compiled. On Node.js 20 it is
// compiled. A machine does that once: the driver is kept in npm's cache folder, where other clones, and `npm install` of
// it elsewhere, take it from. Nothing but npm's packages is downloaded where the headers of Node.js stand beside it.
import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const [major, minor] = process.versions.node.split('.').map(Number);
const IS_COMPILED = major >= 22;
const HOME = join(ROOT, 'drivers', IS_COMPILED ? 'node-22' : 'node-20');
const PACKAGE = join(HOME, 'node_modules/better-sqlite3');
const ADDON = 'build/Release/better_sqlite3.node';
const LINK = join(ROOT, 'node_modules', IS_COMPILED ? 'better-sqlite3' : 'better-sqlite3-node20');
const loadBeside = createRequire(join(HOME, 'package.json'));

/** Tried by another process: a damaged one may end the process that loads it. */
const isLoadable = () => {
  const code = `new (require(${JSON.stringify(LINK)}))(':memory:').prepare('SELECT 1').get()`;
  return spawnSync(process.execPath, ['-e', code], { stdio: 'ignore' }).status === 0;
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
  symlinkSync(relative(dirname(LINK), PACKAGE), LINK, 'junction');
};

const compile = () => {
  const headers = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(headers, 'include/node/node.h'));
  const gyp = process.env.npm_config_node_gyp ?? 'node-gyp';
  const [program, first] = gyp.endsWith('.js') ? [process.execPath, [gyp]] : [gyp, []];
  const args = [...first, 'rebuild', '--release', ...(hasHeaders ? ['--nodedir', headers] : [])];
  run(program, args, PACKAGE);
};

/** Where the driver's own installation looks before it compiles: a file of npm's cache folder. */
const keptPrebuild = () => {
  // What is asked here reads the package of the working folder.
  process.chdir(PACKAGE);
  const { cachedPrebuild, getDownloadUrl } = loadBeside('prebuild-install/util');
  const pkg = loadBeside('better-sqlite3/package.json');
  return cachedPrebuild(getDownloadUrl({ ...loadBeside('prebuild-install/rc')(pkg), pkg }));
};

/** False where the kept one does not load: it was cut, say, or made for another C library. */
const takeKept = (kept) => {
  if (!existsSync(kept)) return false;
  const unpack = join(HOME, 'node_modules/prebuild-install/bin.js');
  spawnSync(process.execPath, [unpack], { cwd: PACKAGE, env: environment(), stdio: 'ignore' });
  return isLoadable();
};

/** It appears whole, whoever else keeps one meanwhile. Where none can be kept, the next folder compiles again. */
const keep = async (kept) => {
  const draft = `${kept}.${process.pid}`;
  try {
    mkdirSync(dirname(kept), { recursive: true });
    const files = loadBeside('tar-fs').pack(PACKAGE, { entries: [ADDON] });
    await pipeline(files, createGzip(), createWriteStream(draft));
    renameSync(draft, kept);
  } catch (error) {
    console.error(`The compiled SQLite driver is not kept for other folders: ${error.message}`);
    rmSync(draft, { force: true });
  }
};

const install = async () => {
  linkDriver();
  if (isLoadable()) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], HOME);
  if (isLoadable()) return;
  if (IS_COMPILED) throw new Error('it does not load');
  const kept = keptPrebuild();
  if (takeKept(kept)) return;
  compile();
  if (!isLoadable()) throw new Error('it does not load');
  await keep(kept);
};

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or newer is needed, and this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!isLoadable()) {
  try {
    await install();
  } catch (error) {
    console.error(`The SQLite driver for Node.js ${major} was not installed: ${error.message}`);
    if (!IS_COMPILED) {
      console.error('It needs Python 3, make and a C++ compiler; Node.js 22 and newer need none.');
    }
  }
}
