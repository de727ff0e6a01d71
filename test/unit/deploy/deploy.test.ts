import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carry } from '../../../src/deploy/deploy.ts';
import { createDirTarget } from '../../../src/deploy/dir/target.ts';
import { createExecTarget } from '../../../src/deploy/exec/target.ts';
import { localFiles } from '../../../src/deploy/local-files.ts';
import { metadataOf } from '../../../src/deploy/s3/metadata.ts';
import type { DeployTarget } from '../../../src/deploy/target.ts';
import { isSelected } from '../../../src/paths/selection.ts';
import { deploy } from '../../helpers/deploy-all.ts';
import { missingBlobs } from '../../helpers/packed-blobs.ts';
import { createPublication } from '../../helpers/publication.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { buildInto, readStamps, readTree, testConfig } from '../../helpers/tree.ts';

const CONTENT = 'content/';
const isPacked = (path: string): boolean => path.startsWith('content/packed/');

const publish = async (queries: readonly unknown[] = []) => {
  const { store, insert, shell, folder } = await createPublication();
  const post = insert('posts', {
    slug: 'one',
    status: 'published',
    published_at: '2026-01-01T10:00:00.000Z',
  });
  const output = join(folder, 'tree');
  const build = () => buildInto(store, output, { config: testConfig({ queries }) });
  await build();
  const files = () => [...localFiles(output)].filter(({ path }) => path.startsWith(CONTENT));
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
  expect(removed.filter((path) => !isPacked(path))).toHaveLength(8);
  expect(readTree(join(folder, 'content'))).toEqual(readTree(join(output, 'content')));
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  expect(readStamps(folder).get('content/404.json')).toBe(first.get('content/404.json'));
});

test('blobs go before records, records before lists, lists before removals, the summary last', async () => {
  const { post, files } = await publish([{ resource: 'posts', limit: 2 }]);
  const steps: string[] = [];
  const target: DeployTarget = {
    list: async () =>
      new Map([
        [`content/posts/${'a'.repeat(24)}/index.json`, { size: 1, tag: '' }],
        ['content/posts/page-8.json', { size: 1, tag: '' }],
        ['content/posts/q/limit-2/gone/page-2.json', { size: 1, tag: '' }],
        ['content/posts/somebody-elses.txt', { size: 1, tag: '' }],
        ['other.html', { size: 1, tag: '' }],
      ]),
    isSame: () => false,
    put: async (batch) => void steps.push(...batch.map(({ path }) => path)),
    remove: async (paths) => void steps.push(...paths.map((path) => `- ${path}`), 'removal'),
  };
  await deploy({ target, files: files(), content: CONTENT });
  const at = (path: string): number => steps.indexOf(path);
  expect(at(`content/posts/${post}/index.json`)).toBeLessThan(at('content/posts/index.json'));
  expect(at('content/posts/tags.json')).toBeLessThan(
    at(`- content/posts/${'a'.repeat(24)}/index.json`),
  );
  expect(at('content/posts/q/limit-2/index.json')).toBeGreaterThan(
    at(`content/posts/${post}/index.json`),
  );
  const blobs = steps.filter((step) => isPacked(step) && !step.endsWith('root.json'));
  expect(steps.slice(0, blobs.length)).toEqual(blobs);
  expect(at('content/packed/root.json')).toBeGreaterThan(at('content/posts/tags.json'));
  expect(at('content/packed/root.json')).toBeLessThan(at('- content/posts/page-8.json'));
  expect(steps.at(-1)).toBe('content/manifest.json');
  // A stale page of a list names records that go after it.
  expect(steps.filter((step) => step.startsWith('-'))).toEqual([
    '- content/posts/page-8.json',
    '- content/posts/q/limit-2/gone/page-2.json',
    `- content/posts/${'a'.repeat(24)}/index.json`,
  ]);
  // A store removes what it is told at once in any order: they are told apart.
  expect(steps.filter((step) => step === 'removal')).toHaveLength(2);
});

test('a command gets the lists as JSON, once for each change, and again after it failed', async () => {
  const { shell, output, build, files } = await publish();
  const folder = temporaryFolder();
  const got = join(folder, 'got.json');
  const run = (command: string) =>
    deploy({
      target: createExecTarget({
        command,
        name: 'exec:cat',
        output,
        purge: { basePath: '' },
        folder: join(folder, 'deploys'),
      }),
      files: files(),
      content: CONTENT,
    });
  await expect(run(`cat > ${got}; exit 3`)).rejects.toMatchObject({ code: 'DEPLOY_FAILED' });
  await run(`cat > ${got}`);
  expect(JSON.parse(readFileSync(got, 'utf8')).changed).toContain('content/posts/index.json');
  shell.prepare("UPDATE posts SET status = 'draft'").run();
  await build();
  await run(`cat > ${got}`);
  const lists = JSON.parse(readFileSync(got, 'utf8'));
  const blobs = lists.removed.filter(isPacked);
  expect(lists.removed).toHaveLength(8 + blobs.length);
  expect(blobs.length).toBeGreaterThan(0);
  // New blobs were asked for by nobody; caches may hold those that are gone.
  const purged = lists.purge.map((address: string) => address.slice(1)).filter(isPacked);
  expect(purged).toEqual([...new Set([...purged, ...blobs])]);
  expect(lists.changed.filter(isPacked).filter((path: string) => purged.includes(path))).toEqual([
    'content/packed/root.json',
  ]);
  expect(lists.purge).toContain('/content/posts/?include=tags%2Cauthors');
  writeFileSync(got, 'not called');
  await run(`cat > ${got}`);
  expect(readFileSync(got, 'utf8')).toBe('not called');
  // What the command had is not known any more: it gets everything again.
  const states = readdirSync(join(folder, 'deploys'), { recursive: true, encoding: 'utf8' });
  for (const name of states) writeFileSync(join(folder, 'deploys', name), '{"content/posts":');
  await run(`cat > ${got}`);
  expect(JSON.parse(readFileSync(got, 'utf8')).changed).toHaveLength(files().length);
});

test('a command that gets files by id is told the addresses by slug, old and new', async () => {
  const { shell, post, output, build, files } = await publish();
  const folder = temporaryFolder();
  const got = join(folder, 'got.json');
  const selection = { profile: 'by-id', variants: ['index', 'authors-tags'] } as const;
  const run = async (slug: string): Promise<string[]> => {
    const slugs = { [`posts/${post}`]: [slug] };
    const purge = { basePath: '', selection };
    const options = { command: `cat > ${got}`, name: 'exec:cat', output, purge, slugs, folder };
    const local = files().filter(({ path }) => isSelected(path.slice(CONTENT.length), selection));
    await deploy({
      target: createExecTarget(options),
      files: local,
      content: CONTENT,
      listsCarried: true,
    });
    return JSON.parse(readFileSync(got, 'utf8')).purge;
  };
  await run('one');
  shell.prepare("UPDATE posts SET slug = 'two'").run();
  await build();
  const purge = await run('two');
  for (const slug of ['one', 'two'])
    expect(purge).toContain(`/content/posts/slug/${slug}/?include=tags`);
  expect(purge).toContain(`/ghost/api/content/posts/${post}/?include=authors`);
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

test('a sidecar comes and goes with its file', async () => {
  const { post, output, files } = await publish();
  const steps: string[] = [];
  const place = watchedPlace(() => undefined);
  const target: DeployTarget = {
    ...place,
    put: (batch) => {
      steps.push(...batch.map(({ path }) => path));
      return place.put(batch);
    },
    remove: (paths) => {
      steps.push(...paths.map((path) => `- ${path}`));
      return place.remove(paths);
    },
  };
  const record = `content/posts/${post}/index.json.br`;
  const list = 'content/posts/authors-tags.json.gz';
  for (const path of [record, list]) writeFileSync(join(output, path), 'x');
  await deploy({ target, files: files(), content: CONTENT });
  expect(steps.indexOf(record)).toBeLessThan(steps.indexOf('content/posts/authors.json'));
  expect(steps.indexOf(list)).toBeGreaterThan(steps.indexOf(record));
  steps.length = 0;
  const document = record.replace('.br', '');
  for (const path of [document, record, list]) rmSync(join(output, path));
  await deploy({ target, files: files(), content: CONTENT });
  const removals = steps.filter((step) => step.startsWith('-'));
  expect(removals).toEqual([list, record, document].map((path) => `- ${path}`));
});

test.each([
  ['posts/slug/one/index.json', true, false],
  [`posts/${'a'.repeat(24)}/tags.json`, false, true],
  [`posts/${'a'.repeat(24)}/authors-tags.json`, true, true],
  ['posts/tags.json', true, true],
])('%s and its sidecars are selected alike', (file, byVariants, byId) => {
  for (const name of [file, `${file}.gz`, `${file}.br`]) {
    const variants = ['index', 'authors-tags'];
    expect(isSelected(name, { profile: 'literal', variants })).toBe(byVariants);
    expect(isSelected(name, { profile: 'by-id', variants: null })).toBe(byId);
  }
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

test('what a run that was killed left in the output is not carried', async () => {
  const { output } = await publish();
  for (const folder of ['content/.prepress-staging', 'content/images/.prepress-import']) {
    mkdirSync(join(output, folder), { recursive: true });
    writeFileSync(join(output, folder, '1'), 'half');
  }
  expect([...localFiles(output)].filter(({ path }) => path.includes('.prepress-'))).toEqual([]);
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

test('at no moment does the root lead to a blob that is absent; other orders would be noticed', async () => {
  const { shell, build, files } = await publish();
  let ahead: string[] = [];
  const target = watchedPlace((there) => {
    ahead = ahead.concat(missingBlobs((file) => there.get(`content/${file}`) ?? null));
  });
  const run = (to: DeployTarget) => deploy({ target: to, files: files(), content: CONTENT });
  await run(target);
  for (const title of ['Other', 'Another']) {
    shell.prepare('UPDATE posts SET title = ?').run(title);
    await build();
    await run(target);
  }
  expect(ahead).toEqual([]);
  shell.prepare("UPDATE posts SET title = 'Late blobs'").run();
  await build();
  const isRoot = (path: string): boolean => path === 'content/packed/root.json';
  const rootFirst = files().filter(({ path }) => isRoot(path));
  await target.put(rootFirst);
  expect(ahead.length).toBeGreaterThan(0);
});

test('pictures come before the records that name them, and go after them', async () => {
  const told: string[] = [];
  const target: DeployTarget = {
    ...watchedPlace(() => undefined),
    put: async (batch) => void told.push(...batch.map(({ path }) => `put ${path}`)),
    remove: async (paths) => void told.push(...paths.map((path) => `remove ${path}`)),
  };
  const id = 'a'.repeat(24);
  const [record, picture] = [`content/posts/${id}/index.json`, 'content/images/a.png'];
  const paths = [picture, record];
  const changed = [record, picture].map((path) => ({ path, size: 0, read: () => Buffer.of() }));
  await carry({ target, changed, removed: paths, content: CONTENT });
  const order = [`put ${picture}`, `put ${record}`, `remove ${record}`, `remove ${picture}`];
  expect(told).toEqual(order);
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
