// data/changes.json: exact after each build, and everything where a list was lost with its process.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeBuildChanges } from '../../../../src/publish/after-build/write-after-build.ts';
import type { BuildReport } from '../../../../src/publish/build/run-build.ts';
import type { Changes } from '../../../../src/publish/deploy/changes.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { ticksDuring } from '../../../helpers/ticks.ts';
import { buildInto, testConfig } from '../../../helpers/tree.ts';

const createSite = async () => {
  const { store, insert, shell, folder } = await createPublication();
  const post = { status: 'published', published_at: '2026-01-01T10:00:00.000Z' };
  insert('posts', { ...post, slug: 'kept' });
  insert('posts', { ...post, slug: 'taken-back' });
  const config = testConfig({ database: join(folder, 'a.db'), output: join(folder, 'output') });
  const paths = dataPathsOf(config);
  const tell = async (report: BuildReport): Promise<Changes> => {
    const manifest = openManifest(paths.manifest);
    await writeBuildChanges({ config, paths, manifest }, report);
    manifest.close();
    return told();
  };
  const told = (): Changes =>
    JSON.parse(readFileSync(join(folder, 'changes.json'), 'utf8')) as Changes;
  let titles = 0;
  const edit = (): void => {
    titles += 1;
    shell.prepare("UPDATE posts SET title = ? WHERE slug = 'kept'").run(`${titles}`);
  };
  const takeBack = (): void =>
    void shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'taken-back'").run();
  return { folder, shell, build: () => buildInto(store, folder), edit, takeBack, tell, told };
};

test('each build tells what it changed, and one that changes nothing leaves that', async () => {
  const { build, edit, takeBack, tell } = await createSite();
  expect(await tell(await build())).toMatchObject({ generation: 1, all: true });
  edit();
  expect(await tell(await build())).toMatchObject({
    generation: 2,
    all: false,
  });
  takeBack();
  const told = await tell(await build());
  const documents = told.removed.filter((path) => !path.startsWith('content/packed/'));
  expect([told.generation, told.all, documents.length]).toEqual([3, false, 8]);
  expect(await tell(await build())).toEqual(told);
});

test('the address of a record whose slug no name can hold is forgotten when it is taken back', async () => {
  const { build, shell, tell } = await createSite();
  shell.prepare("UPDATE posts SET slug = 'a/b?' WHERE slug = 'taken-back'").run();
  await tell(await build());
  shell.prepare("UPDATE posts SET status = 'draft' WHERE slug = 'a/b?'").run();
  const { purge } = await tell(await build());
  expect(purge).toContain('/content/posts/slug/a%2Fb%3F/');
  expect(purge).toContain('/ghost/api/v4/content/posts/slug/a%2Fb%3F/?include=tags%2Cauthors');
});

test('a list that was lost is made up, by a build that changes nothing and by one that does', async () => {
  const { build, edit, takeBack, tell } = await createSite();
  await tell(await build());
  takeBack();
  await build();
  expect(await tell(await build())).toMatchObject({ generation: 2, all: true, removed: [] });
  edit();
  await build();
  edit();
  const told = await tell(await build());
  expect(told).toMatchObject({ generation: 4, all: true });
  expect(told.purge).toEqual(['/content/*', '/ghost/api/*']);
});

test('builds that are told late and out of order end with the newest', async () => {
  const { build, edit, tell } = await createSite();
  await tell(await build());
  edit();
  const second = await build();
  edit();
  const third = await build();
  expect(await tell(third)).toMatchObject({ generation: 3, all: true });
  expect(await tell(second)).toMatchObject({ generation: 3, all: true });
  edit();
  expect(await tell(await build())).toMatchObject({ generation: 4, all: false });
});

test('a number that an earlier publication had does not pass for told', async () => {
  const { folder, build, tell } = await createSite();
  writeFileSync(join(folder, 'changes.json'), JSON.stringify({ generation: 1, all: false }));
  expect(await tell(await build())).toMatchObject({ generation: 1, all: true });
});

test('the list of a large build leaves ticks to others, and is one that can be read', async () => {
  const { build, edit, tell, told } = await createSite();
  await tell(await build());
  edit();
  const report = await build();
  const written = Array.from({ length: 60_000 }, (_, at) => `posts/${at}/index.json`);
  const names = { written, added: written.slice(1), removed: ['posts/gone/index.json'] };
  const ticks = await ticksDuring(() => tell({ ...report, files: { ...report.files, names } }));
  expect(ticks).toBeGreaterThan(10);
  const { added, changed, removed, tags } = told();
  expect([added.length, changed, removed, tags.length]).toEqual([
    59_999,
    ['content/posts/0/index.json'],
    ['content/posts/gone/index.json'],
    60_001,
  ]);
});
