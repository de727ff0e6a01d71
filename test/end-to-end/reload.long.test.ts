// A server takes up its settings file and its templates when they change, and no other program builds with other
// settings meanwhile.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, copyPublication, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init']);
  return folder.remove;
});

const SETTINGS = 'data/server-settings.json';
const put = (folder: string, settings: object | string): void =>
  writeFileSync(
    join(folder, 'prepress.config.json'),
    typeof settings === 'string' ? settings : JSON.stringify(settings),
  );
const firstUrl = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, CONTENT, 'posts/index.json'), 'utf8')).posts[0].url;

test('a changed settings file is taken up; one that cannot be used leaves all as it is', async () => {
  const folder = copyPublication(template);
  const { url, get, log, end, contentKey } = await serve(folder);
  // The file is made, replaced and removed.
  put(folder, { siteUrl: 'https://one.test' });
  await eventually(() => expect(firstUrl(folder)).toContain('https://one.test/'));
  put(folder, '{"siteUrl": "https://two.test",}');
  await eventually(() => expect(log()).toContain('the settings were not reloaded'));
  expect(log()).toContain('line 1, column 32');
  expect((await get(`/content/posts/?key=${contentKey}`)).status).toBe(200);
  put(folder, { siteUrl: 'https://two.test', contentKey: 'optional' });
  await eventually(() => expect(firstUrl(folder)).toContain('https://two.test/'));
  // The server that has started again listens where the first one did.
  await eventually(async () => expect((await fetch(`${url}/content/posts/`)).status).toBe(200));
  await eventually(() => expect(log()).toContain('"settings":["siteUrl","contentKey"]'));
  rmSync(join(folder, 'prepress.config.json'));
  await eventually(() => expect(firstUrl(folder)).toContain('http://localhost:4000/'));
  expect(await end()).toBe(0);
  expect(existsSync(join(folder, SETTINGS))).toBe(false);
});

test('settings that a server cannot start with leave the old ones in force', async () => {
  const folder = copyPublication(template);
  const other = await serve(copyPublication(template));
  const { url, log, end } = await serve(folder);
  put(folder, { host: '127.0.0.1', database: 'data/absent.db' });
  await eventually(() => expect(log()).toContain('the settings were not reloaded'));
  await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
  expect(await end()).toBe(0);
  await other.end();
});

test('a command with other settings than the server refuses, and the files stay', async () => {
  const folder = copyPublication(template);
  const server = await serve(folder);
  const before = readFileSync(join(folder, CONTENT, 'posts/index.json'));
  for (const command of [
    ['build', '--full', '--site-url', 'https://other.test'],
    ['serve', '--port', '0', '--site-url', 'https://other.test'],
    ['publish', 'the-foghorn-tuner', '--output', 'elsewhere'],
  ]) {
    const { code, stderr } = await runPrepress(folder, command);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^prepress: A server runs on this database with other settings: (?:siteUrl|output) is ".*" there and ".*" here\.\n.*stop it first\.\n$/,
    );
  }
  expect(readFileSync(join(folder, CONTENT, 'posts/index.json'))).toEqual(before);
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  // With the same settings, or other ones that reach no file, it builds.
  await prepress(folder, ['build', '--full']);
  await prepress(folder, ['build'], { environment: { PREPRESS_LOG_LEVEL: 'silent' } });
  await server.end('SIGKILL');
  // What a server that was killed left is no server.
  expect(existsSync(join(folder, SETTINGS))).toBe(true);
  await prepress(folder, ['build', '--site-url', 'https://other.test']);
  expect(firstUrl(folder)).toContain('https://other.test/');
});

test('a command that has read settings which the server is about to take up waits for that', async () => {
  const folder = copyPublication(template);
  const { end } = await serve(folder);
  put(folder, { siteUrl: 'https://new.test' });
  expect(await prepress(folder, ['build'])).toMatch(/Nothing to change|Built generation/);
  expect(firstUrl(folder)).toContain('https://new.test/');
  await end();
});

test('a template that is edited while serving is rendered anew', async () => {
  const folder = copyPublication(template);
  const plugin = fileURLToPath(new URL('../../dist/eleventy.js', import.meta.url));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, '.eleventy.js'),
    `import prepress from '${plugin}';
    export default (eleventyConfig) => { eleventyConfig.addPlugin(prepress, { placesPages: true }); };
    export const config = { dir: { input: 'pages', output: 'data/pages-staging' } };`,
  );
  mkdirSync(join(folder, 'pages'));
  const page = join(folder, 'pages/index.njk');
  writeFileSync(page, 'First, {{ publication.counts.posts }} posts');
  const { url, end } = await serve(folder);
  const shown = async (): Promise<string> => (await fetch(`${url}/`)).text();
  expect(await shown()).toMatch(/First, \d+ posts/);
  writeFileSync(page, 'Second');
  await eventually(async () => expect(await shown()).toBe('Second'));
  writeFileSync(join(folder, 'pages/more.njk'), 'More');
  await eventually(async () => expect((await fetch(`${url}/more/`)).status).toBe(200));
  await end();
});

test('a settings file that links lead to is taken up when one of the links is replaced', async () => {
  const folder = copyPublication(template);
  // As Kubernetes mounts a ConfigMap: the file is a link into ..data, which is one to a folder with a time.
  const swap = (version: string, settings: object): void => {
    const place = join(folder, `..${version}`);
    mkdirSync(place);
    writeFileSync(join(place, 'prepress.config.json'), JSON.stringify(settings));
    symlinkSync(`..${version}`, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  swap('2026_01', { siteUrl: 'https://one.test' });
  symlinkSync('..data/prepress.config.json', join(folder, 'prepress.config.json'));
  const { log, end } = await serve(folder);
  expect(firstUrl(folder)).toContain('https://one.test/');
  swap('2026_02', { siteUrl: 'https://two.test' });
  rmSync(join(folder, '..2026_01'), { recursive: true });
  await eventually(() => expect(firstUrl(folder)).toContain('https://two.test/'));
  swap('2026_03', { siteUrl: 'no address' });
  await eventually(() => expect(log()).toContain('the settings were not reloaded'));
  swap('2026_04', { siteUrl: 'https://three.test' });
  await eventually(() => expect(firstUrl(folder)).toContain('https://three.test/'));
  expect(log().split('the settings were not reloaded')).toHaveLength(2);
  await end();
});
