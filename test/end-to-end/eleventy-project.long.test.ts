// The command line in a project that uses the plugin works on the tree that Eleventy makes there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { copiesOfInit } from '../helpers/publication-copies.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const newCopy = copiesOfInit('--site-url', 'https://site.test');

const PLUGIN = `import prepress from '${join(ROOT, 'dist/eleventy.js')}';
  export const config = { dir: { input: 'pages', output: 'public' } };`;

const createProject = (file: string, text: string): string => {
  const folder = newCopy();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages/index.njk'), '{{ publication.counts.posts }} posts');
  return folder;
};

const runEleventy = async (folder: string): Promise<string> => {
  const child = spawn(process.execPath, ['node_modules/@11ty/eleventy/cmd.cjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [warnings, end] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(end).toEqual([0, null]);
  return warnings;
};

const summaryOf = (folder: string, output: string): string =>
  readFileSync(join(folder, output, 'content/posts/index.json'), 'utf8');

test.each(['.eleventy.js', 'eleventy.config.js'])(
  'with %s, builds of both go into one tree with one set of settings',
  async (file) => {
    const options = "{ settings: { siteUrl: 'https://plugin.test' } }";
    const add = `export default (config) => { config.addPlugin(prepress, ${options}); };`;
    const folder = createProject(file, `${PLUGIN}\n${add}`);
    await prepress(folder, ['build']);
    expect(existsSync(join(folder, 'output'))).toBe(false);
    expect(summaryOf(folder, 'public')).toContain('https://plugin.test/');
    // The pages are Eleventy's own.
    expect(existsSync(join(folder, 'public/index.html'))).toBe(false);
    await runEleventy(folder);
    expect(readFileSync(join(folder, 'public/index.html'), 'utf8')).toMatch(/^\d+ posts/);
    expect(await prepress(folder, ['build'])).toContain('Already up to date');
    expect(await prepress(folder, ['verify'])).toContain('The output is whole');
    await prepress(folder, ['build', '--output', 'elsewhere']);
    expect(summaryOf(folder, 'elsewhere')).toBe(summaryOf(folder, 'public'));
  },
);

test.each([
  [false, 'public/_redirects, which holds yours.'],
  [true, 'public/_redirects, which holds the rules.'],
])(
  'own redirects where the rules of a host go are named: placesPages %s',
  async (placesPages, end) => {
    const folder = createProject(
      '.eleventy.js',
      `${PLUGIN}
    export default (config) => {
      config.addPassthroughCopy({ static: '.' });
      config.addPlugin(prepress, { placesPages: ${placesPages} });
    };`.replace("output: 'public'", `output: '${placesPages ? 'staging' : 'public'}'`),
    );
    const settings = { hosts: ['netlify'], ...(placesPages && { output: 'public' }) };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
    mkdirSync(join(folder, 'static'));
    writeFileSync(join(folder, 'static/_redirects'), '/a /b');
    expect(await runEleventy(folder)).toContain(end);
    expect(await runEleventy(folder)).toContain(end);
    const holdsOwn = readFileSync(join(folder, 'public/_redirects'), 'utf8') === '/a /b';
    expect(holdsOwn).toBe(!placesPages);
    expect(await prepress(folder, ['build'])).toContain(
      placesPages ? `Warning: Your own _redirects` : 'If your Eleventy project brings this file',
    );
  },
);

test('a project that does not use the plugin leaves the setting alone', async () => {
  const folder = createProject(
    '.eleventy.js',
    "// No prepress here.\nexport const config = { dir: { input: 'pages', output: 'public' } };",
  );
  await prepress(folder, ['build']);
  expect(existsSync(join(folder, 'output/content/manifest.json'))).toBe(true);
  expect(existsSync(join(folder, 'public'))).toBe(false);
});

test('a configuration that cannot be loaded builds no tree elsewhere', async () => {
  const folder = createProject('.eleventy.js', `${PLUGIN}\nthrow new Error('half written');`);
  const { code, stderr } = await runPrepress(folder, ['build']);
  expect(code).toBe(2);
  expect(stderr).toContain('The Eleventy configuration .eleventy.js cannot be loaded: ');
  expect(existsSync(join(folder, 'output'))).toBe(false);
  // One that asks for pages is missed by those who check.
  writeFileSync(join(folder, 'prepress.config.json'), '{"site": true}');
  writeFileSync(join(folder, '.eleventy.js'), '// prepress\nthrow new Error("placesPages: true");');
  expect((await runPrepress(folder, ['build'])).code).toBe(1);
  const verified = await runPrepress(folder, ['verify']);
  expect([verified.code, verified.stdout + verified.stderr]).toEqual([
    1,
    expect.stringContaining('HTML pages are missing'),
  ]);
});
