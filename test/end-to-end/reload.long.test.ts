// A server takes up its settings file and its templates when they change.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { copiesOfInit } from '../helpers/publication-copies.ts';
import { CONTENT, serve } from '../helpers/serve.ts';

const newCopy = copiesOfInit();

const SETTINGS = 'data/server-settings.json';
const put = (folder: string, settings: object | string): void =>
  writeFileSync(
    join(folder, 'prepress.config.json'),
    typeof settings === 'string' ? settings : JSON.stringify(settings),
  );
const firstUrl = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, CONTENT, 'posts/index.json'), 'utf8')).posts[0].url;

test('a changed settings file is taken up; one that cannot be used leaves all as it is', async () => {
  const folder = newCopy();
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
  const { port } = new URL(url);
  await eventually(() => expect(firstUrl(folder)).toContain(`http://localhost:${port}/`));
  expect(await end()).toBe(0);
  expect(existsSync(join(folder, SETTINGS))).toBe(false);
});

test('settings that a server cannot start with leave the old ones in force', async () => {
  const folder = newCopy();
  const other = await serve(newCopy());
  const { url, log, end } = await serve(folder);
  put(folder, { host: '127.0.0.1', database: 'data/absent.db' });
  await eventually(() => expect(log()).toContain('the settings were not reloaded'));
  await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
  expect(await end()).toBe(0);
  await other.end();
});

test('two servers both take a changed file, though one of them is late', async () => {
  const folder = newCopy();
  put(folder, { siteUrl: 'https://one.test' });
  const servers = [await serve(folder), await serve(folder)] as const;
  const [early, late] = servers;
  process.kill(late.pid, 'SIGSTOP');
  put(folder, { siteUrl: 'https://two.test' });
  await eventually(() => expect(early.log()).toContain('SETTINGS_DIFFER'));
  await eventually(async () => expect((await fetch(`${early.url}/health`)).status).toBe(200));
  expect(firstUrl(folder)).toContain('https://one.test/');
  process.kill(late.pid, 'SIGCONT');
  for (const { log } of servers) {
    await eventually(() => expect(log()).toContain('"settings":["siteUrl"]'));
  }
  await eventually(() => expect(firstUrl(folder)).toContain('https://two.test/'));
  for (const { end } of servers) expect(await end()).toBe(0);
  expect(existsSync(join(folder, SETTINGS))).toBe(false);
});

test('a template that is edited while serving is rendered anew', async () => {
  const folder = newCopy();
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
  await eventually(async () => expect(await shown()).toMatch(/First, \d+ posts/));
  writeFileSync(page, 'Second');
  await eventually(async () => expect(await shown()).toBe('Second'));
  writeFileSync(join(folder, 'pages/more.njk'), 'More');
  await eventually(async () => expect((await fetch(`${url}/more/`)).status).toBe(200));
  await end();
});
