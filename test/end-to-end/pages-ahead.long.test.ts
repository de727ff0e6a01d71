// The pages of a site with hundreds of posts are written by a thread while others are rendered: with the bytes that they
// have without it, nothing left behind, and a failure of the disk said.
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { createPageStage } from '../../src/publish/output/pages/page-stage.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { DATABASE } from '../helpers/serve.ts';
import { buildPages } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';

const POSTS = 600;
const WORKER = join(import.meta.dirname, '../../dist/file-worker.js');
const ENVIRONMENT = { PREPRESS_SITE: 'true', PREPRESS_SITE_URL: 'https://site.test' };

const started = process.cwd();
let folder = '';

beforeAll(async () => {
  const suite = suiteFolder();
  folder = suite.path;
  await prepress(folder, ['init']);
  const shell = new (loadDriver())(join(folder, DATABASE));
  const insert = shell.prepare(
    `INSERT INTO posts (id, uuid, title, slug, html, plaintext, type, status, created_at, updated_at, published_at)
     VALUES (?, ?, ?, ?, '<p>Body</p>', 'Body', 'post', 'published', '2026-01-01', '2026-01-01', '2026-01-01')`,
  );
  for (let at = 0; at < POSTS; at += 1) {
    const id = `f${at.toString(16).padStart(23, '0')}`;
    insert.run(id, `11111111-1111-4111-8111-${id.slice(12)}`, `Post ${at}`, `post-${at}`);
  }
  shell.close();
  process.chdir(folder);
  return suite.remove;
});
afterAll(() => process.chdir(started));

const pagesOf = (place: string): Map<string, string> =>
  new Map([...readTree(join(place, 'output'))].filter(([name]) => name.endsWith('.html')));

test('the pages are those of a run without the thread', async () => {
  // A program that runs from its sources has no such thread.
  await buildPages(folder, { siteUrl: 'https://site.test' });
  const plain = pagesOf(folder);
  expect(plain.size).toBeGreaterThan(POSTS);
  rmSync(join(folder, 'output'), { recursive: true });
  for (const name of ['pages.json', 'pages-site.json', 'pages-seal.json'])
    rmSync(join(folder, 'data', name), { force: true });
  await prepress(folder, ['build'], { environment: ENVIRONMENT });
  expect(pagesOf(folder)).toEqual(plain);
  const hidden = readdirSync(join(folder, 'output')).filter((name) => name.startsWith('.'));
  expect(hidden).toEqual([]);
  const { stdout } = await runPrepress(folder, ['verify'], { environment: ENVIRONMENT });
  expect(stdout).toBe('All is well.\n');
});

test('a page that cannot be written ends the run', async () => {
  const root = temporaryFolder();
  const stage = createPageStage(root, WORKER);
  stage?.put('a/index.html', 'A');
  stage?.put('a', 'a file where a folder is');
  await expect(stage?.finish()).rejects.toThrow('EISDIR');
  await stage?.close();
  expect(readdirSync(root)).toEqual([]);
});

test('folders of programs that have ended are removed, and no others', async () => {
  const root = temporaryFolder();
  const host = hostname().replaceAll(/[^\w-]/g, '_');
  const own = `.prepress-pages-${process.pid}-${host}`;
  const others = [`.prepress-pages-${process.ppid}-${host}`, '.prepress-pages-1-elsewhere'];
  const left = [`.prepress-pages-999999999-${host}`, '.prepress-pages-1-long-ago'];
  for (const name of [own, ...others, ...left]) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'left'), 'x');
  }
  utimesSync(join(root, '.prepress-pages-1-long-ago'), 0, 0);
  const stage = createPageStage(root, WORKER);
  stage?.put('index.html', 'home');
  const staged = await stage?.finish();
  expect(staged?.pages.get('index.html')?.text).toBe('home');
  expect(readdirSync(root).sort()).toEqual([own, ...others].sort());
  expect(readdirSync(join(root, own))).toEqual(['index.html']);
  await stage?.close();
  expect(readdirSync(root).sort()).toEqual(others.sort());
});
