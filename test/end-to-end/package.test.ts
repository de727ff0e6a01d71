// The package as npm packs it, installed in a project of its own: the command and the plugin have the names that
// README gives them.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { suiteFolder } from '../helpers/suite-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');

let project = '';

/** As `npm install` of the archive lays it out, but its dependencies are those of this project. */
const install = (folder: string): void => {
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder];
  const packed = execFileSync('npm', ['pack', ...options], { cwd: ROOT, encoding: 'utf8' });
  const [{ filename, name }] = JSON.parse(packed) as [{ filename: string; name: string }];
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const entry of readdirSync(join(ROOT, 'node_modules'))) {
    if (entry.startsWith('.')) continue;
    symlinkSync(join(ROOT, 'node_modules', entry), join(modules, entry));
  }
  const home = join(modules, name);
  mkdirSync(home);
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', home, '--strip-components', '1']);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  for (const [command, file] of Object.entries(bin)) {
    symlinkSync(join('..', name, file), join(modules, '.bin', command));
  }
};

beforeAll(() => {
  const suite = suiteFolder();
  project = suite.path;
  install(project);
  cpSync(join(ROOT, 'examples/eleventy'), project, { recursive: true });
  return suite.remove;
});

const run = (program: string, args: readonly string[]) =>
  spawnSync(process.execPath, [join(project, 'node_modules', program), ...args], {
    cwd: project,
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });

test('the command runs from where npm links it, and finds the plugin of the project', () => {
  expect(run('.bin/prepress', ['init']).stderr).toBe('');
  const built = run('.bin/prepress', ['build']);
  expect(built).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(join(project, 'public/content/manifest.json'))).toBe(true);
});

test('examples/eleventy builds as README says, with a page for each post', () => {
  const built = run('@11ty/eleventy/cmd.cjs', []);
  expect(built).toMatchObject({ status: 0, stderr: '' });
  const read = (file: string): string => readFileSync(join(project, 'public', file), 'utf8');
  const { posts } = JSON.parse(read('content/posts/index.json')) as {
    posts: { slug: string; html: string }[];
  };
  expect(posts.length).toBeGreaterThan(10);
  for (const { slug, html } of posts) {
    expect(read('index.html')).toContain(`href="/${slug}/"`);
    expect(read(`${slug}/index.html`)).toContain(html);
  }
});

test('README and docs/pages.md add the plugin as the example does', () => {
  const [plugin = ''] = readFileSync(join(project, 'eleventy.config.js'), 'utf8').split(
    'export const',
  );
  const lines = plugin
    .split('\n')
    .filter((line) => line !== '')
    .join('\n');
  for (const page of ['README.md', 'docs/pages.md']) {
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain(lines);
  }
});

test('the package holds the sources that workers for hosts are bundled from', () => {
  for (const asked of [['cloudflare'], ['nginx', '--njs']]) {
    const written = run('.bin/prepress', ['hosts', 'write', ...asked]);
    expect(written).toMatchObject({ status: 0, stderr: '' });
  }
});

test('front ends import the sheet and the script of cards, also where a server renders', async () => {
  const { resolve } = createRequire(join(project, 'page.js'));
  for (const file of ['cards.css', 'cards.js']) {
    const own = readFileSync(join(ROOT, 'content/_includes/site', file));
    expect(readFileSync(resolve(`prepress-content/${file}`)).equals(own), file).toBe(true);
  }
  await import(pathToFileURL(resolve('prepress-content/cards.js')).href);
});
