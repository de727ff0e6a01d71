import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSelected } from '../../../../src/content/paths/selection.ts';
import { carry } from '../../../../src/publish/deploy/deploy.ts';
import { createExecTarget } from '../../../../src/publish/deploy/exec/target.ts';
import { localFiles } from '../../../../src/publish/deploy/local-files.ts';
import { metadataOf } from '../../../../src/publish/deploy/s3/metadata.ts';
import type { DeployTarget } from '../../../../src/publish/deploy/target.ts';
import { deploy } from '../../../helpers/deploy-all.ts';
import { missingBlobs } from '../../../helpers/packed-blobs.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { buildInto } from '../../../helpers/tree.ts';

const CONTENT = 'content/';
const isPacked = (path: string): boolean => path.startsWith('content/packed/');

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
  const files = () => [...localFiles(output)].filter(({ path }) => path.startsWith(CONTENT));
  return { shell, post, output, build, files };
};

test('blobs go before records, records before lists, lists before removals, the summary last', async () => {
  const { post, files } = await publish();
  const steps: string[] = [];
  const target: DeployTarget = {
    list: async () =>
      new Map([
        [`content/posts/${'a'.repeat(24)}/index.json`, { size: 1, tag: '' }],
        ['content/posts/page-8.json', { size: 1, tag: '' }],
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
  const blobs = steps.filter((step) => isPacked(step) && !step.endsWith('root.json'));
  expect(steps.slice(0, blobs.length)).toEqual(blobs);
  expect(at('content/packed/root.json')).toBeGreaterThan(at('content/posts/tags.json'));
  expect(at('content/packed/root.json')).toBeLessThan(at('- content/posts/page-8.json'));
  expect(steps.at(-1)).toBe('content/manifest.json');
  // A stale page of a list names records that go after it.
  expect(steps.filter((step) => step.startsWith('-'))).toEqual([
    '- content/posts/page-8.json',
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

test('copies and sidecars go with what they show: records, then lists, and away with them', async () => {
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
  const document = `content/posts/${post}/index.json`;
  const ofRecord = [`content/posts/${post}/index.html`, `${document}.br`];
  const ofList = ['content/posts/index.html', 'content/posts/authors-tags.json.gz'];
  for (const path of [...ofRecord, ...ofList]) writeFileSync(join(output, path), '{"posts":[]}');
  await deploy({ target, files: files(), content: CONTENT });
  const at = (path: string): number => steps.indexOf(path);
  for (const path of ofRecord) expect(at(path)).toBeLessThan(at('content/posts/authors.json'));
  for (const path of ofList) expect(at(path)).toBeGreaterThan(at(ofRecord[0] ?? ''));
  steps.length = 0;
  for (const path of [...ofRecord, document, ...ofList]) rmSync(join(output, path));
  await deploy({ target, files: files(), content: CONTENT });
  const removals = steps.filter((step) => step.startsWith('- ')).map((step) => step.slice(2));
  expect(removals.slice(0, 2).sort()).toEqual([...ofList].sort());
  expect(removals.slice(2).sort()).toEqual([...ofRecord, document].sort());
  expect(removals.indexOf(document)).toBeGreaterThan(removals.indexOf(`${document}.br`));
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
  for (const folder of ['content/.prepress-staging', 'content/images/.prepress-import', '.git']) {
    mkdirSync(join(output, folder), { recursive: true });
    writeFileSync(join(output, folder, '1'), 'half');
  }
  expect([...localFiles(output)].filter(({ path }) => /\.prepress-|\.git/.test(path))).toEqual([]);
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

test('at no moment does the root lead to a blob that is absent', async () => {
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

test('at no moment does a list name a record that is absent', async () => {
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
});
