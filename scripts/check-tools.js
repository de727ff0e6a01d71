// What the checks need beside the project's own packages, from npm, each of one version and below node_modules/.cache: other
// versions of Node.js, and programs of third parties that call Prepress or serve what it makes.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache/prepress-check');

const mustRun = (cwd, program, ...args) => {
  const { status, error } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`);
};

/** A folder that `fill` has filled once. */
const installed = (name, fill) => {
  const folder = join(CACHE, name);
  const mark = join(folder, '.installed');
  if (existsSync(mark)) return folder;
  mkdirSync(folder, { recursive: true });
  fill(folder);
  writeFileSync(mark, '');
  return folder;
};

const installPackages = (name, ...packages) =>
  installed(name, (folder) => {
    writeFileSync(join(folder, 'package.json'), '{}');
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--force'];
    mustRun(folder, 'npm', 'install', ...options, ...packages);
  });

/**
 * The environment in which commands run on that Node.js. The SQLite driver for Node.js 22 and newer, which npm leaves out
 * on Node.js 20, is linked to where they look for it.
 */
export const installNode = (version) => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const program = `node-${process.platform}-${process.arch}`;
  const driver = `better-sqlite3@${optionalDependencies['better-sqlite3']}`;
  const folder = installPackages(`node-${version}`, `${program}@${version}`, driver);
  const modules = join(folder, 'node_modules');
  const link = join(ROOT, 'node_modules/better-sqlite3');
  if (!existsSync(link)) symlinkSync(join(modules, 'better-sqlite3'), link, 'junction');
  return { PATH: [join(modules, program, 'bin'), process.env.PATH].join(delimiter) };
};

/** Of n8n-nodes-base only the files of Ghost, with the packages that they run on. */
const installN8n = () =>
  installed('n8n', (folder) => {
    mustRun(folder, 'npm', 'pack', '--silent', 'n8n-nodes-base@2.41.2');
    const files = ['package/dist/nodes/Ghost/*', 'package/dist/credentials/Ghost*'];
    mustRun(folder, 'tar', '-xzf', 'n8n-nodes-base-2.41.2.tgz', '--wildcards', ...files);
    writeFileSync(join(folder, 'package.json'), '{}');
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    const packages = ['n8n-workflow@2.41.0', '@n8n/backend-network@1.15.1'];
    packages.push('jsonwebtoken@9.0.3', 'moment-timezone@0.5.48');
    mustRun(folder, 'npm', 'install', ...options, ...packages);
  });

/** The generators of examples/ with their packages, and with this one where they ask for it. */
const installSites = () =>
  installed('sites-with-loader', (folder) => {
    for (const [name, ...packages] of [['astro', ROOT], ['next']]) {
      cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true });
      const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
      mustRun(join(folder, name), 'npm', 'install', ...options, ...packages);
    }
  });

/** The environment by which the tests of third parties' programs find them. */
export const installOthers = () => {
  const wrangler = installPackages('wrangler', 'wrangler@4.86.0');
  const deno = join(installPackages('deno', 'deno@2.9.6'), 'node_modules/@deno');
  const [platform = ''] = readdirSync(deno);
  return {
    PREPRESS_TEST_WRANGLER: join(wrangler, 'node_modules/wrangler/bin/wrangler.js'),
    PREPRESS_TEST_DENO: join(deno, platform, 'deno'),
    PREPRESS_TEST_N8N: installN8n(),
    PREPRESS_TEST_ACTIVEPIECES: installPackages(
      'activepieces',
      '@activepieces/piece-ghostcms@0.2.0',
    ),
    PREPRESS_TEST_SITES: installSites(),
    PREPRESS_TEST_NODES: ['22.23.3', '24.21.0', '26.12.1']
      .map((version) => join(installNode(version).PATH.split(delimiter)[0], 'node'))
      .join(delimiter),
  };
};
