// Pages rendered beside a server: in a thread of their own, with the same bytes, errors that still say what they said, and
// nothing that stays half when the thread is ended; and what is published while Eleventy works is rendered after it.

import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitContent } from '../../src/pages/eleventy/emit-content.ts';
import { createPageThread } from '../../src/pages/eleventy/page-thread.ts';
import { renderPages } from '../../src/pages/eleventy/render-pages.ts';
import { importSample } from '../../src/publication/import/sample/sample.ts';
import { db } from '../../src/publication/store/db.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { buildPages, SITE, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { readTree } from '../helpers/tree.ts';

const WORKER = join(import.meta.dirname, '../../dist/page-worker.js');
const started = process.cwd();
let folder = '';
let store: Store;

const pagesOf = (place: string): Map<string, string> =>
  new Map([...readTree(join(place, 'output'))].filter(([name]) => !name.startsWith('content/')));

beforeAll(async () => {
  const suite = suiteFolder();
  folder = suite.path;
  process.chdir(folder);
  store = await sampleIn(folder);
  await emitContent(siteConfig(folder));
  return async () => {
    await store.close();
    suite.remove();
  };
});
afterAll(() => process.chdir(started));

test('a thread that is ended at any moment leaves what the next one completes', async () => {
  const config = siteConfig(folder);
  const output = join(folder, 'output');
  for (const [moment, isThere] of [
    ['at once', () => true],
    ['with pages that wait', () => readdirSync(output).some((name) => /^\.prepress/.test(name))],
    ['with a page in its place', () => existsSync(join(output, 'index.html'))],
  ] as const) {
    const cut = createPageThread(config, { workerFile: WORKER });
    let isDone = false;
    const asked = cut.render().finally(() => {
      isDone = true;
    });
    await eventually(() => expect(isDone || isThere(), moment).toBe(true), 1);
    cut.end();
    await asked;
    expect(await cut.render()).toBeNull();
  }
  await createPageThread(config, { workerFile: WORKER }).render();
  expect(pagesOf(folder).size).toBeGreaterThan(20);
  expect(readdirSync(join(folder, 'output'))).not.toContain('.prepress-pages');
  await store.write((tx) =>
    db(tx)
      .updateTable('posts')
      .set({ title: 'Salt and more', updated_at: '2026-11-01 10:00:00' })
      .where('slug', '=', 'what-the-salt-pans-know')
      .execute(),
  );
  await emitContent(config);
  const report = await createPageThread(config, { workerFile: WORKER }).render();
  expect(report?.written).toContain('what-the-salt-pans-know/index.html');
  expect(report?.written).not.toContain('the-foghorn-tuner/index.html');
  const step = pagesOf(folder);
  await renderPages(config, { isForced: true });
  expect(pagesOf(folder)).toEqual(step);
});

const sampleIn = async (place: string): Promise<Store> => {
  mkdirSync(join(place, 'data'), { recursive: true });
  const made = await openStore(siteConfig(place).database, { create: true });
  await importSample(made, SITE);
  return made;
};

/** A project of its own, whose configuration holds `lines`. */
const withProject = async (name: string, lines: string): Promise<string> => {
  const place = join(folder, name);
  await (await sampleIn(place)).close();
  cpSync(join(started, 'content'), join(place, 'content'), { recursive: true });
  const plugin = JSON.stringify(join(started, 'dist/eleventy.js'));
  writeFileSync(
    join(place, '.eleventy.js'),
    `import prepress from ${plugin};
    export default function (config) { config.addPlugin(prepress, { placesPages: true }); ${lines} }
    export const config = { dir: { input: 'content', output: 'data/pages-staging' } };`,
  );
  process.chdir(place);
  return place;
};

test('what is published while Eleventy works is rendered by the next run', async () => {
  const shared = globalThis as { publishMeanwhile?: (() => Promise<unknown>) | undefined };
  const place = await withProject(
    'meanwhile',
    "config.on('eleventy.after', () => globalThis.publishMeanwhile?.());",
  );
  const own = await openStore(siteConfig(place).database);
  try {
    shared.publishMeanwhile = async () => {
      await own.write((tx) =>
        db(tx)
          .updateTable('posts')
          .set({ title: 'Told meanwhile', updated_at: '2026-11-02 10:00:00' })
          .where('slug', '=', 'pilot-0410')
          .execute(),
      );
      await emitContent(siteConfig(place));
    };
    await buildPages(place);
    shared.publishMeanwhile = undefined;
    const { written } = await renderPages(siteConfig(place));
    expect(written).toContain('pilot-0410/index.html');
    expect(pagesOf(place).get('pilot-0410/index.html')).toContain('Told meanwhile');
  } finally {
    shared.publishMeanwhile = undefined;
    await own.close();
  }
});
