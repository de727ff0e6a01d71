// The package as npm packs it, installed in a project of its own: the command and the plugin have the names that
// README gives them.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
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
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  mkdirSync(join(project, 'pages'));
  writeFileSync(join(project, 'pages/index.njk'), '{{ publication.counts.posts }} posts');
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, example = ''] = /```js\n(import prepress [\s\S]*?)```/.exec(readme) ?? [];
  const directories = "export const config = { dir: { input: 'pages', output: 'public' } };";
  writeFileSync(join(project, 'eleventy.config.js'), `${example}\n${directories}`);
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

test('README names the plugin as Eleventy finds it', () => {
  const built = run('@11ty/eleventy/cmd.cjs', []);
  expect(built).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(join(project, 'public/index.html'), 'utf8')).toMatch(/^\d+ posts$/);
});

test('the package holds the sources that workers for hosts are bundled from', () => {
  for (const asked of [['cloudflare'], ['nginx', '--njs']]) {
    const written = run('.bin/prepress', ['hosts', 'write', ...asked]);
    expect(written).toMatchObject({ status: 0, stderr: '' });
  }
});
