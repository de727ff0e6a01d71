// Builds with the worker threads of the bundle, however little there is to do.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/publication/store/store.ts';
import { openBuild } from '../../src/publish/build/open-build.ts';
import { outputSettingsOf } from '../../src/publish/build/output-settings.ts';
import { type BuildReport, prepareBuild, runBuild } from '../../src/publish/build/run-build.ts';
import { openManifest } from '../../src/publish/manifest/open-manifest.ts';
import type { Levels } from '../../src/publish/packed/boundaries.ts';
import type { Config } from '../../src/settings/settings.ts';
import { NO_SYNC, testConfig } from './tree.ts';

const DIST = join(import.meta.dirname, '../../dist');
export const RENDER_WORKER = join(DIST, 'render-worker.js');

/** Why tests that need the bundle are skipped, or false. */
export const skipWithoutBundle = existsSync(RENDER_WORKER)
  ? false
  : 'dist/render-worker.js is absent: npm run bundle makes it';

type Options = {
  readonly workerFile?: string;
  readonly config?: Config;
  readonly levels?: Levels;
};

/** Builds into `folder`/content, with the manifest beside it. */
export const buildThreaded = async (
  store: Store,
  folder: string,
  { workerFile = RENDER_WORKER, config = testConfig(), levels }: Options = {},
): Promise<BuildReport> => {
  const manifest = openManifest(`${folder}.db`);
  const inputOf = (snapshot: Parameters<typeof runBuild>[0]['snapshot']) => ({
    snapshot,
    manifest,
    contentFolder: join(folder, 'content'),
    settings: outputSettingsOf(config, snapshot.settings()),
    isFullAsked: false,
    durability: NO_SYNC,
    ...(levels && { levels }),
  });
  const { snapshot, workers } = await openBuild(store, {
    planOf: async (seen) => (await prepareBuild(inputOf(seen))).plan,
    workerFile,
    workerRecordsMin: 1,
  });
  try {
    return await runBuild({ ...inputOf(snapshot), workers }, 0);
  } finally {
    snapshot.close();
    await workers?.close();
    manifest.close();
  }
};
