import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploy } from '../../../src/deploy/deploy.ts';
import { createDirTarget } from '../../../src/deploy/dir/target.ts';
import { createExecTarget } from '../../../src/deploy/exec/target.ts';
import { listLocalFiles } from '../../../src/deploy/local-files.ts';
import type { DeployTarget } from '../../../src/deploy/target.ts';
import { createPublication } from '../../helpers/publication.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { buildInto, readStamps, readTree } from '../../helpers/tree.ts';

const CONTENT = 'content/';

const publish = async () => {
  const { store, insert, shell, folder } = await createPublication();
  const post = insert('posts', {
    slug: 'one',
    status: 'published',
    published_at: '2026-01-01T10:00:00.000Z',
  });
  const output = join(folder, 'tree');
  const build = () => buildInto(store, output);
  await build();
  const files = () => listLocalFiles(output).filter(({ path }) => path.startsWith(CONTENT));
  return { shell, post, output, build, files };
};

test('a folder gets what differs, loses what is gone, and keeps what is not ours', async () => {
  const { shell, output, build, files } = await publish();
  const folder = join(temporaryFolder(), 'site');
  const target = createDirTarget(folder);
  await deploy({ target, files: files(), content: CONTENT });
  const first = readStamps(folder);
  expect(readTree(join(folder, 'content'))).toEqual(readTree(join(output, 'content')));
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  expect(await deploy({ target, files: files(), content: CONTENT })).toMatchObject({
    written: [],
    removed: [],
  });
  shell.prepare("UPDATE posts SET status = 'draft'").run();
  await build();
  const { removed } = await deploy({ target, files: files(), content: CONTENT });
  expect(removed).toHaveLength(8);
  expect(readTree(join(folder, 'content'))).toEqual(readTree(join(output, 'content')));
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  expect(readStamps(folder).get('content/404.json')).toBe(first.get('content/404.json'));
});

test('records go before lists, lists before removals, the summary last', async () => {
  const { post, files } = await publish();
  const steps: string[] = [];
  const target: DeployTarget = {
    list: async () =>
      new Map([
        [`content/posts/${'a'.repeat(24)}/index.json`, { size: 1, tag: '' }],
        ['content/posts/somebody-elses.txt', { size: 1, tag: '' }],
        ['other.html', { size: 1, tag: '' }],
      ]),
    isSame: () => false,
    put: async (batch) => void steps.push(...batch.map(({ path }) => path)),
    remove: async (paths) => void steps.push(...paths.map((path) => `- ${path}`)),
  };
  await deploy({ target, files: files(), content: CONTENT });
  const at = (path: string): number => steps.indexOf(path);
  expect(at(`content/posts/${post}/index.json`)).toBeLessThan(at('content/posts/index.json'));
  expect(at('content/posts/tags.json')).toBeLessThan(
    at(`- content/posts/${'a'.repeat(24)}/index.json`),
  );
  expect(steps.at(-1)).toBe('content/manifest.json');
  expect(steps.filter((step) => step.startsWith('-'))).toHaveLength(1);
});

test('a build that comes between stops the deploy before any list', async () => {
  const { shell, build, files } = await publish();
  const seen = files();
  shell.prepare("UPDATE posts SET title = 'Other'").run();
  await build();
  const folder = join(temporaryFolder(), 'site');
  const run = deploy({ target: createDirTarget(folder), files: seen, content: CONTENT });
  await expect(run).rejects.toMatchObject({ code: 'BUILD_BUSY' });
  expect(
    [...readTree(folder).keys()].filter((path) => /^content\/posts\/\w+\.json$/.test(path)),
  ).toEqual([]);
});

test('a command gets the lists as JSON, once for each change, and again after it failed', async () => {
  const { shell, output, build, files } = await publish();
  const folder = temporaryFolder();
  const got = join(folder, 'got.json');
  const run = (command: string) =>
    deploy({
      target: createExecTarget({ command, output, basePath: '', dataFolder: folder }),
      files: files(),
      content: CONTENT,
    });
  await expect(run(`cat > ${got}; exit 3`)).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
  await run(`cat > ${got}`);
  expect(JSON.parse(readFileSync(got, 'utf8')).changed).toContain('content/posts/index.json');
  shell.prepare("UPDATE posts SET status = 'draft'").run();
  await build();
  await run(`cat > ${got}`);
  const lists = JSON.parse(readFileSync(got, 'utf8'));
  expect(lists.removed).toHaveLength(8);
  expect(lists.purge).toContain('/content/posts/?include=tags%2Cauthors');
  writeFileSync(got, 'not called');
  await run(`cat > ${got}`);
  expect(readFileSync(got, 'utf8')).toBe('not called');
});
