// One cycle of the publisher within an Eleventy build: the database is opened for it and closed after it.
import { existsSync } from 'node:fs';
import { systemClock } from '../../base/clock.ts';
import { PrepressError } from '../../base/errors.ts';
import { closeDataFolder } from '../../publication/store/data-folder.ts';
import { openStore } from '../../publication/store/open-store.ts';
import { createAfterBuild } from '../../publish/after-build/after-build.ts';
import { type PublishReport, publishOnce } from '../../publish/cycle/publish-once.ts';
import { openManifest } from '../../publish/manifest/open-manifest.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';

/** Throws DATABASE_MISSING, and what publishOnce throws. */
export const emitContent = async (config: Config): Promise<PublishReport> => {
  const paths = dataPathsOf(config);
  const { postgres } = paths;
  if (postgres === null && !existsSync(paths.database)) {
    throw new PrepressError(
      'DATABASE_MISSING',
      `There is no publishing database at ${paths.database}. Run "npx prepress init" first.`,
    );
  }
  const store = await openStore(paths.database, { postgres, mayLead: true });
  const warnings = closeDataFolder(paths);
  try {
    const manifest = openManifest(paths.manifest);
    try {
      const deps = { config, paths, store, manifest, clock: systemClock };
      const after = createAfterBuild(deps);
      const report = await publishOnce(deps, { isAlone: true, onBuilt: after.onBuilt });
      const failure = after.failure();
      const notes = failure === null ? [] : [failure.message];
      return { ...report, warnings: [...warnings, ...report.warnings, ...notes] };
    } finally {
      manifest.close();
    }
  } finally {
    await store.close();
  }
};

/** Number of the newest build that changed a byte. */
export const findGeneration = (config: Config): number => {
  const manifest = openManifest(dataPathsOf(config).manifest);
  try {
    return manifest.generation();
  } finally {
    manifest.close();
  }
};
