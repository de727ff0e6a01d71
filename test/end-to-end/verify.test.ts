// prepress verify beside builds, and what it says of files that stand beside the tree.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { acquireBuildLock } from '../../src/store/sqlite/build-lock.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress, runPrepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, copyPublication } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', 'https://site.test']);
  return folder.remove;
});

const createBuilt = async (settings: object = {}): Promise<string> => {
  const folder = copyPublication(template);
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
  await prepress(folder, ['build']);
  expect(await prepress(folder, ['verify', '--compare'])).toBe('All is well.\n');
  return folder;
};

const findingsIn = async (folder: string): Promise<string[]> => {
  const { stdout } = await runPrepress(folder, ['verify', '--json']);
  const { findings } = JSON.parse(stdout) as { findings: { path: string; reason: string }[] };
  return findings.map(({ path, reason }) => `${path}: ${reason}`);
};

const firstPost = (folder: string): string =>
  readdirSync(join(folder, CONTENT, 'posts')).find((name) => /^[0-9a-f]{24}$/.test(name)) ?? '';

test('pages, descriptions, host files and copies that were altered are named, and builds mend them', async () => {
  const folder = await createBuilt({ hosts: ['apache', 'dumb'] });
  const post = firstPost(folder);
  const altered: Record<string, string> = {
    'output/index.html': 'the file has other bytes than it was placed with',
    'output/openapi.json': 'the file has other bytes than it was placed with',
    'output/.htaccess': 'the file has other bytes than it was placed with',
    [`output/content/posts/${post}/index.html`]:
      'the copy has other bytes than the file that it copies',
    'output/content/tags/index.html': 'the copy is missing',
  };
  for (const [path, reason] of Object.entries(altered)) {
    const text = readFileSync(join(folder, path), 'utf8');
    // Not in its place: a copy may be another name of its document.
    rmSync(join(folder, path));
    if (!reason.endsWith('missing')) writeFileSync(join(folder, path), `${text} `);
  }
  const nameOf = (path: string): string =>
    path.startsWith('output/content/')
      ? path.slice('output/content/'.length)
      : path.replace('output/', '../');
  const expected = Object.entries(altered).map(([path, reason]) => `${nameOf(path)}: ${reason}`);
  expect((await findingsIn(folder)).sort()).toEqual(expected.sort());
  await prepress(folder, ['build']);
  expect(await findingsIn(folder)).toEqual([]);
});

test('many findings are capped, with a count of the rest', async () => {
  const folder = await createBuilt();
  rmSync(join(folder, CONTENT, 'posts'), { recursive: true });
  const { code, stdout } = await runPrepress(folder, ['verify']);
  expect(code).toBe(1);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(52);
  const all = await findingsIn(folder);
  expect(lines.slice(-2)).toEqual([
    `... and ${all.length - 50} more; --json lists all.`,
    `${all.length} findings.`,
  ]);
});

test('files of somebody else beside the tree are noted, and fail nothing', async () => {
  const folder = await createBuilt();
  writeFileSync(join(folder, 'output/favicon.ico'), 'x');
  const replaced = join(folder, CONTENT, '.prepress-replaced');
  mkdirSync(replaced, { recursive: true });
  writeFileSync(join(replaced, 'f1'), 'x');
  const said = await prepress(folder, ['verify']);
  expect(said).toContain('Note: ../favicon.ico: the file is not of Prepress, and stays\n');
  expect(said).toContain('Note: .prepress-replaced: ');
  expect(said).toMatch(/All is well\.\n$/);
});

test('a build that runs is waited for', async () => {
  const folder = await createBuilt();
  const lock = await acquireBuildLock(join(folder, 'data/build.lock.db'), 5_000);
  const place = join(folder, CONTENT, 'posts/index.json');
  const bytes = readFileSync(place);
  rmSync(place);
  const child = spawnPrepress(folder, ['verify']);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually(() => expect(said).toContain('A build is running'));
  writeFileSync(place, bytes);
  lock.release();
  await eventually(() => expect(said).toMatch(/All is well\.\n$/));
});
