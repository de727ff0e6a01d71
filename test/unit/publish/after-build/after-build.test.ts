// Nothing of a build is announced before what hosts read is up to date, whatever breaks in between.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { createId } from '../../../../src/base/ids.ts';
import { emitContent } from '../../../../src/pages/eleventy/emit-content.ts';
import {
  beginAnnouncing,
  findPublishedPosition,
} from '../../../../src/publication/store/log/publishing.ts';
import {
  type AfterBuild,
  createAfterBuild,
} from '../../../../src/publish/after-build/after-build.ts';
import type { PublishDeps } from '../../../../src/publish/cycle/publish-deps.ts';
import { publishOnce } from '../../../../src/publish/cycle/publish-once.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { dataPathsOf } from '../../../../src/settings/data-paths.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { testConfig } from '../../../helpers/tree.ts';

const createSite = async (settings: Record<string, unknown> = { profile: 'plain-files' }) => {
  const { folder, store, shell, insert } = await createPublication();
  const database = join(folder, 'publication.db');
  const config = testConfig({ database, output: join(folder, 'output'), ...settings });
  const paths = dataPathsOf(config);
  const manifest = openManifest(paths.manifest);
  onTestFinished(() => manifest.close());
  const webhook = shell.prepare(
    "INSERT INTO webhooks (id, event, target_url, secret_sealed, created_at) VALUES (?, 'site.changed', 'https://x.test/', x'00', 0)",
  );
  webhook.run(createId());
  const post = insert('posts', { status: 'published', published_at: '2026-01-01', slug: 'first' });
  const deps: PublishDeps = { config, paths, store, manifest, clock: systemClock };
  await beginAnnouncing(store, 0);
  const cycle = (after: AfterBuild) => publishOnce(deps, { onBuilt: after.onBuilt });
  const copy = join(paths.contentFolder, 'posts/slug/first/index.html');
  const changes = join(folder, 'changes.json');
  return {
    deps,
    cycle,
    copy,
    changes,
    takeBack: () => shell.prepare("UPDATE posts SET status = 'draft' WHERE id = ?").run(post),
    told: () => JSON.parse(readFileSync(changes, 'utf8')).generation as number,
    events: () => shell.prepare('SELECT count(*) FROM events').pluck().get() as number,
    generation: async () => (await findPublishedPosition(store))?.generation,
  };
};

test('copies and the list of changes are there before an event is queued', async () => {
  const { deps, copy, told, events, takeBack } = await createSite();
  const seen: unknown[] = [];
  const write: PublishDeps['store']['write'] = async (run, options) => {
    const before = events();
    const result = await deps.store.write(run, options);
    if (events() > before) seen.push([existsSync(copy), told()]);
    return result;
  };
  const watched = { ...deps, store: { ...deps.store, write } };
  const after = createAfterBuild(watched);
  await publishOnce(watched, { onBuilt: after.onBuilt });
  takeBack();
  await publishOnce(watched, { onBuilt: after.onBuilt });
  expect(seen).toEqual([
    [true, 1],
    [false, 2],
  ]);
});

test('what the disk refuses is made up for by the next cycle, and then announced', async () => {
  const { deps, cycle, changes, told, events, generation, takeBack } = await createSite();
  await cycle(createAfterBuild(deps));
  expect([events(), await generation()]).toEqual([1, 1]);
  rmSync(changes);
  mkdirSync(changes);
  takeBack();
  for (let times = 0; times < 2; times += 1) {
    await expect(cycle(createAfterBuild(deps))).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
    });
    expect([events(), await generation()]).toEqual([1, 1]);
  }
  await expect(emitContent(deps.config)).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
  expect([events(), await generation()]).toEqual([1, 1]);
  rmSync(changes, { recursive: true });
  await cycle(createAfterBuild(deps));
  expect([events(), await generation(), told()]).toEqual([2, 2, 2]);
});

test('a cycle that ends between the two is made up for', async () => {
  const { deps, cycle, copy, told, events, takeBack } = await createSite();
  await cycle(createAfterBuild(deps));
  takeBack();
  const killed = { onBuilt: () => Promise.reject(new Error('killed')) };
  await expect(publishOnce(deps, killed)).rejects.toThrow('killed');
  expect([existsSync(copy), told(), events()]).toEqual([true, 1, 1]);
  await emitContent(deps.config);
  expect([existsSync(copy), told(), events()]).toEqual([false, 2, 2]);
});

test('a host that a person has to make possible holds up no webhook, and is tried again', async () => {
  const { deps, cycle, events } = await createSite({ hosts: ['netlify'] });
  const rules = join(deps.paths.output, '_redirects');
  mkdirSync(deps.paths.output, { recursive: true });
  writeFileSync(rules, '/a /b\n');
  const after = createAfterBuild(deps);
  await cycle(after);
  expect(after.failure()).toMatchObject({
    code: 'FILE_EXISTS',
    message: expect.stringMatching(/_redirects, which holds yours.*, and delete .*_redirects\.$/),
    hint: '',
  });
  expect(events()).toBe(1);
  rmSync(rules);
  await cycle(after);
  expect(after.failure()).toBeNull();
  expect(after.hosts()).toMatchObject([{ host: 'netlify' }]);
  expect(existsSync(rules)).toBe(true);
});
