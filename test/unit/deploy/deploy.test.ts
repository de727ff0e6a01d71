import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploy } from '../../../src/deploy/deploy.ts';
import { createDirTarget } from '../../../src/deploy/dir/target.ts';
import { createExecTarget } from '../../../src/deploy/exec/target.ts';
import { listLocalFiles } from '../../../src/deploy/local-files.ts';
import { metadataOf } from '../../../src/deploy/s3/metadata.ts';
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
      target: createExecTarget({ command, output, purge: { basePath: '' }, dataFolder: folder }),
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

test('copies go with what they show: records, then lists, and away with them', async () => {
  const { post, output, files } = await publish();
  const steps: string[] = [];
  const place = watchedPlace(() => undefined);
  const target: DeployTarget = {
    ...place,
    put: (batch) => {
      steps.push(...batch.map(({ path }) => path));
      return place.put(batch);
    },
  };
  const copies = [`content/posts/${post}/index.html`, 'content/posts/index.html'];
  for (const path of copies) writeFileSync(join(output, path), '{"posts":[]}');
  await deploy({ target, files: files(), content: CONTENT });
  const [record = '', list = ''] = copies;
  expect(steps.indexOf(record)).toBeLessThan(steps.indexOf('content/posts/authors.json'));
  expect(steps.indexOf(list)).toBeGreaterThan(steps.indexOf(record));
  for (const path of copies) rmSync(join(output, path));
  const { removed } = await deploy({ target, files: files(), content: CONTENT });
  expect([...removed].sort()).toEqual([...copies].sort());
});

test.each([
  ['content/posts/index.json', 'application/json; charset=utf-8'],
  ['content/posts/index.html', 'application/json; charset=utf-8'],
  ['blog/content/posts/slug/index/index.html', 'application/json; charset=utf-8'],
  ['content/settings/index.html', 'application/json; charset=utf-8'],
  ['index.html', 'text/html; charset=utf-8'],
  ['my-content/posts/index.html', 'text/html; charset=utf-8'],
  ['content/images/a.PNG', 'image/png'],
])('%s is stored as %s', (path, type) => {
  expect(metadataOf(path).ContentType).toBe(type);
});

/** A place in memory that is looked at after each file, as a reader might. */
const watchedPlace = (look: (there: ReadonlyMap<string, string>) => void): DeployTarget => {
  const there = new Map<string, string>();
  const done = (): void => look(there);
  return {
    list: async () => new Map([...there.keys()].map((path) => [path, { size: 1, tag: '' }])),
    isSame: () => false,
    put: async (batch) => {
      for (const { path, read } of batch) {
        there.set(path, read().toString());
        done();
      }
    },
    remove: async (paths) => {
      for (const path of paths) {
        there.delete(path);
        done();
      }
    },
  };
};

/** The lists that name a record whose file is absent. */
const listsAhead = (there: ReadonlyMap<string, string>): string[] =>
  [...there].flatMap(([path, body]) => {
    if (!/^content\/posts\/[a-z-]+\.json$/.test(path)) return [];
    const { posts } = JSON.parse(body) as { posts: { id: string }[] };
    return posts.every(({ id }) => there.has(`content/posts/${id}/index.json`)) ? [] : [path];
  });

test('at no moment does a list name a record that is absent; other orders would be noticed', async () => {
  const { shell, build, files } = await publish();
  let ahead: string[] = [];
  const look = (there: ReadonlyMap<string, string>): void => {
    ahead = [...ahead, ...listsAhead(there)];
  };
  const target = watchedPlace(look);
  await deploy({ target, files: files(), content: CONTENT });
  shell.prepare("UPDATE posts SET status = 'draft'").run();
  await build();
  await deploy({ target, files: files(), content: CONTENT });
  expect(ahead).toEqual([]);

  shell.prepare("UPDATE posts SET status = 'published'").run();
  await build();
  const held: Parameters<DeployTarget['put']>[0][number][] = [];
  const late: DeployTarget = {
    ...target,
    put: async (batch) => {
      const isRecord = (path: string): boolean => path.split('/').length > 3;
      held.push(...batch.filter(({ path }) => isRecord(path)));
      await target.put(batch.filter(({ path }) => !isRecord(path)));
    },
    finish: () => target.put(held),
  };
  await deploy({ target: late, files: files(), content: CONTENT });
  expect(ahead).toContain('content/posts/index.json');

  ahead = [];
  shell.prepare("UPDATE posts SET status = 'draft'").run();
  await build();
  const [removed] = [...(await target.list()).keys()].filter((path) =>
    /[0-9a-f]{24}.index/.test(path),
  );
  await target.remove([removed ?? '']);
  await deploy({ target, files: files(), content: CONTENT });
  expect(ahead).toContain('content/posts/index.json');
});
