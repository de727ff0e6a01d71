// prepress verify beside builds, and what it says of files that stand beside the tree.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireBuildLock } from '../../src/publication/store/locks/build-lock.ts';
import { eventually } from '../helpers/eventually.ts';
import { copiesOfInit } from '../helpers/publication-copies.ts';
import { prepress, runPrepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, openShell } from '../helpers/serve.ts';

const newCopy = copiesOfInit('--site-url', 'https://site.test');

const ROOT = join(import.meta.dirname, '../..');
const PROJECT = `import prepress from '${join(ROOT, 'dist/eleventy.js')}';
export default (eleventyConfig) => eleventyConfig.addPlugin(prepress, { placesPages: true });
export const config = { dir: { input: 'content', output: 'data/pages-staging' } };`;

/** With an Eleventy project, whose one page is that about the interface. */
const createPaged = (settings: object = {}): Promise<string> =>
  createBuilt(settings, (folder) => {
    cpSync(join(ROOT, 'content'), join(folder, 'content'), { recursive: true });
    writeFileSync(join(folder, 'eleventy.config.js'), PROJECT);
  });

const createBuilt = async (
  settings: object = {},
  layOut: (folder: string) => void = () => undefined,
): Promise<string> => {
  const folder = newCopy();
  layOut(folder);
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
  const folder = await createPaged({ hosts: ['apache', 'plain-files'] });
  const post = firstPost(folder);
  const altered: Record<string, string> = {
    'output/index.html': 'the file has other bytes than it was placed with',
    'output/openapi.json': 'the file has other bytes than it was placed with',
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
    `${all.length} findings. "prepress build --full" repairs files of the output.`,
  ]);
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

test('rules beside the output and the list of changes are looked at, and builds mend them', async () => {
  const folder = await createBuilt({ hosts: ['nginx'] });
  const rules = readdirSync(join(folder, 'data/hosts/nginx'));
  const [gone = ''] = rules;
  rmSync(join(folder, 'data/hosts/nginx', gone));
  rmSync(join(folder, 'data/changes.json'));
  const where = '../../data/hosts/nginx/';
  expect((await findingsIn(folder)).sort()).toEqual(
    [
      '../../data/changes.json: the list of changes is missing; the next build writes it again',
      `${where}${gone}: the file is missing`,
    ].sort(),
  );
  await prepress(folder, ['build']);
  expect(await findingsIn(folder)).toEqual([]);
});

test.each([
  ['{"generation":1,', 'cannot be read'],
  [{ generation: 7 }, 'tells of build 7, not 1'],
  [{ added: ['content/posts/none/index.json'] }, 'names content/posts/none/index.json, which is'],
  [{ removed: ['content/posts/index.json'] }, 'says that content/posts/index.json was removed'],
])('a list of changes that holds %j is named', async (change, reason) => {
  const folder = await createBuilt();
  const file = join(folder, 'data/changes.json');
  const told = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, typeof change === 'string' ? change : JSON.stringify({ ...told, ...change }));
  const [finding, ...more] = await findingsIn(folder);
  expect(finding).toContain(reason);
  expect(more).toEqual([]);
});

test('where the record of pages was lost the page of the program is known, and one of a person stays', async () => {
  const folder = await createPaged();
  const page = join(folder, 'output/index.html');
  const lose = (): void => {
    for (const name of ['pages.json', 'pages-seal.json']) {
      rmSync(join(folder, 'data', name), { force: true });
    }
  };
  lose();
  expect(await prepress(folder, ['verify'])).toBe('All is well.\n');
  openShell(folder).exec("UPDATE settings SET value = 'Another title' WHERE key = 'title'");
  const built = await runPrepress(folder, ['build']);
  expect(built.stderr).toBe('');
  expect(readFileSync(page, 'utf8')).toContain('Another title');
  lose();
  writeFileSync(page, '<title>My own page</title>');
  expect(await prepress(folder, ['verify'])).toContain(
    'Note: ../index.html: Prepress did not write this file, and leaves it.\n',
  );
  await runPrepress(folder, ['build']);
  expect(readFileSync(page, 'utf8')).toBe('<title>My own page</title>');
});
