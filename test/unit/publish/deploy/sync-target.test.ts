// A target is brought to the newest build by what builds changed, whole at every moment, whatever breaks in between.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAfterBuild } from '../../../../src/publish/after-build/after-build.ts';
import {
  outputSourceOf,
  targetOf,
} from '../../../../src/publish/after-build/deploy-destinations.ts';
import { describeDeploys } from '../../../../src/publish/after-build/deploy-states.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { syncTarget } from '../../../../src/publish/deploy/sync-target.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { createDeployingSite, type DeployingSite } from '../../../helpers/deploying-site.ts';
import { missingBlobs } from '../../../helpers/packed-blobs.ts';
import { testConfig } from '../../../helpers/tree.ts';

const createSite = async (flags: Record<string, unknown> = {}) => {
  const site = await createDeployingSite([], flags);
  for (const slug of ['one', 'two']) {
    const published_at = '2026-01-01T10:00:00.000Z';
    site.insert('posts', { slug, title: slug, status: 'published', published_at });
  }
  await site.build();
  let titles = 0;
  const edit = async (): Promise<void> => {
    titles += 1;
    site.shell.prepare("UPDATE posts SET title = ? WHERE slug = 'one'").run(`Title ${titles}`);
    await site.build();
  };
  const takeBack = async (): Promise<void> => {
    site.shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'two'").run();
    await site.build();
  };
  return { ...site, edit, takeBack };
};

const stateOf = ({ deps }: DeployingSite) => describeDeploys(deps)[0];

const expectEqual = ({ target, output }: DeployingSite): void =>
  expect(target.tree()).toEqual(output());

test('the first deploy compares, the next ones carry only what builds changed', async () => {
  const site = await createSite();
  expect(stateOf(site)).toMatchObject({ state: 'waiting', generation: null, newest: 1 });
  const first = await site.deploy();
  expect(first).toMatchObject({ removed: [], unchanged: 0, generation: 1 });
  expectEqual(site);
  await site.edit();
  expect(stateOf(site)).toMatchObject({ state: 'waiting', generation: 1, newest: 2 });
  site.target.steps.length = 0;
  const { written, removed, unchanged } = await site.deploy();
  expectEqual(site);
  expect(unchanged).toBeNull();
  expect([...site.target.steps].sort()).toEqual(
    [...written, ...removed.map((path) => `- ${path}`)].sort(),
  );
  expect(written.filter((path) => path.includes('slug/two'))).toEqual([]);
  expect(written.filter((path) => path.includes('slug/one'))).toHaveLength(4);
  expect(stateOf(site)).toMatchObject({ state: 'there', generation: 2, failures: 0 });
  site.target.steps.length = 0;
  await site.deploy();
  expect(site.target.steps).toEqual([]);
  const left = readdirSync(join(site.folder, 'deploys'));
  expect(left.filter((name) => name.startsWith('staged'))).toEqual([]);
});

test('pages and pictures beside the tree come and go with it', async () => {
  const site = await createSite();
  const place = (path: string): string => join(site.deps.paths.output, path);
  mkdirSync(place('one'), { recursive: true });
  mkdirSync(place('content/images'), { recursive: true });
  writeFileSync(place('one/index.html'), 'first');
  await site.deploy();
  site.target.steps.length = 0;
  writeFileSync(place('one/index.html'), 'second');
  writeFileSync(place('content/images/a.png'), 'picture');
  expect([...(await site.deploy()).written].sort()).toEqual([
    'content/images/a.png',
    'one/index.html',
  ]);
  expectEqual(site);
  writeFileSync(join(site.target.folder, 'mine.html'), 'mine');
  rmSync(place('one'), { recursive: true });
  rmSync(place('content/images/a.png'));
  expect([...(await site.deploy()).removed].sort()).toEqual([
    'content/images/a.png',
    'one/index.html',
  ]);
  expect(site.target.steps).not.toContain('list');
  expect(readFileSync(join(site.target.folder, 'mine.html'), 'utf8')).toBe('mine');
});

test.each([false, true])(
  'a build meanwhile is not mixed in (compared whole: %s)',
  async (isWhole) => {
    const site = await createSite();
    await site.deploy();
    await site.edit();
    const before = site.output();
    let isBuilt = false;
    site.target.onStep = async () => {
      if (isBuilt) return;
      isBuilt = true;
      await site.edit();
      await site.takeBack();
    };
    await site.deploy({ isWhole });
    expect(site.target.tree()).toEqual(before);
    expect(stateOf(site)).toMatchObject({ generation: 2, newest: 4 });
    await site.deploy();
    expectEqual(site);
  },
);

test('a folder that is another one, or an older one again, is compared whole', async () => {
  const site = await createSite();
  await site.deploy();
  const { folder } = site.target;
  const page = join(site.deps.paths.output, 'two.html');
  writeFileSync(page, 'two');
  await site.deploy();
  renameSync(folder, `${folder}.away`);
  mkdirSync(folder);
  writeFileSync(join(`${folder}.away`, 'mine.html'), 'mine');
  await site.takeBack();
  rmSync(page);
  await site.deploy();
  expectEqual(site);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.away`, folder);
  await site.edit();
  await site.deploy();
  expect(readFileSync(join(folder, 'mine.html'), 'utf8')).toBe('mine');
  rmSync(join(folder, 'mine.html'));
  expectEqual(site);
});

test('what comes and goes while the target is compared is carried with the rest', async () => {
  const site = await createSite();
  const page = join(site.deps.paths.output, 'page.html');
  writeFileSync(page, 'page');
  await site.deploy();
  await site.edit();
  const destination = site.target.destination();
  const open = async () => {
    const target = await destination.open(undefined);
    const list = async () => {
      const listed = await target.list();
      await site.edit();
      await site.takeBack();
      return listed;
    };
    const isSame: typeof target.isSame = (file, there) => {
      const same = target.isSame(file, there);
      if (file.path === 'page.html') rmSync(page);
      return same;
    };
    return { ...target, list, isSame };
  };
  const source = outputSourceOf(site.deps);
  await syncTarget(source, { ...destination, open }, { isWhole: true });
  expectEqual(site);
});

test('a run that breaks off at any step is made good by the next, and leaves no list ahead', async () => {
  const site = await createSite();
  const { target } = site;
  await site.deploy();
  await site.edit();
  const total = 30;
  for (let breaksAt = 0; breaksAt < total; breaksAt += 5) {
    let steps = 0;
    target.onStep = () => {
      steps += 1;
      if (steps > breaksAt) throw new Error('broken off');
    };
    await expect(site.deploy()).rejects.toThrow('broken off');
    expect(missingBlobs((file) => target.tree().get(`content/${file}`) ?? null)).toEqual([]);
    expect(stateOf(site)).toMatchObject({ state: 'waiting', generation: 1 });
    if (breaksAt === 10) await site.takeBack();
    else await site.edit();
  }
  target.onStep = () => undefined;
  target.steps.length = 0;
  await site.deploy();
  expect(target.steps).not.toContain('list');
  expectEqual(site);
});

test('a list of changes that was lost, or is of another history, is not believed', async () => {
  const site = await createSite();
  const folder = join(site.folder, 'deploys');
  const journal = (generation: number): string => join(folder, `journal-${generation}.json`);
  await site.deploy();
  await site.edit();
  await site.edit();
  rmSync(journal(2));
  await site.deploy();
  expect(site.target.steps.filter((step) => step === 'list')).toHaveLength(2);
  expectEqual(site);
  const old = readFileSync(journal(3), 'utf8');
  await site.edit();
  writeFileSync(journal(3), old.replace(/"id":"\w+"/, '"id":"other"'));
  await site.deploy();
  expect(site.target.steps.filter((step) => step === 'list')).toHaveLength(3);
  expectEqual(site);
});

test('a target that gets other files than before is compared whole', async () => {
  const site = await createSite();
  await site.deploy();
  const config = testConfig({ ...site.deps.config, variants: 'index', deploy: undefined });
  const deps = { ...site.deps, config };
  const { removed } = await syncTarget(
    outputSourceOf(deps),
    targetOf(deps, site.target.setting).destination(),
  );
  expect(removed.some((path) => /posts\/slug\/one\/tags\.json$/.test(path))).toBe(true);
});

test('a tree that settings moved to another path and output leaves nothing of itself at the target', async () => {
  const site = await createSite({ basePath: '/blog' });
  await site.deploy();
  const { folder, setting } = site.target;
  mkdirSync(join(folder, 'blog'), { recursive: true });
  writeFileSync(join(folder, 'blog/mine.html'), 'mine');
  const output = join(site.folder, 'elsewhere');
  const config = testConfig({ ...site.deps.config, basePath: '', output });
  const deps = { ...site.deps, config, paths: dataPathsOf(config) };
  await publishOnce(deps, { onBuilt: createAfterBuild(deps).onBuilt });
  await syncTarget(outputSourceOf(deps), targetOf(deps, setting).destination());
  const left = [...site.target.tree().keys()].filter((path) => path.startsWith('blog/'));
  expect(left).toEqual(['blog/mine.html']);
  expect(site.target.tree().has('content/posts/slug/two/index.json')).toBe(true);
});

test('a file that the build has and that is gone from the output does not go from the target', async () => {
  const site = await createSite();
  await site.deploy();
  await site.edit();
  rmSync(join(site.deps.paths.output, 'content/posts/slug/one/index.json'));
  await expect(site.deploy()).rejects.toMatchObject({ code: 'OUTPUT_DIFFERS' });
  const blob = [...site.output().keys()].find((path) => /packed\/../.test(path)) ?? '';
  rmSync(join(site.deps.paths.output, blob));
  await expect(site.deploy({ isWhole: true })).rejects.toMatchObject({ code: 'OUTPUT_DIFFERS' });
});

test('an output without a finished build empties nothing', async () => {
  const site = await createSite();
  await site.deploy();
  const before = site.target.tree().size;
  rmSync(join(site.deps.paths.output, 'content/manifest.json'));
  for (const isWhole of [false, true]) {
    await expect(site.deploy({ isWhole })).rejects.toMatchObject({
      code: 'VALIDATION',
      message: expect.stringContaining('prepress build'),
    });
  }
  expect(site.target.tree().size).toBe(before);
});
