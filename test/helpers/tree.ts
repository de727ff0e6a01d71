// Builds a publication into a folder the way the publisher does.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from '../../src/base/files/durability.ts';
import type { Snapshot } from '../../src/publication/snapshot/snapshot.ts';
import { movePublishedPosition } from '../../src/publication/store/log/publishing.ts';
import { removeSetAside } from '../../src/publication/store/log/set-aside.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { fingerprintOf } from '../../src/publish/build/fingerprint.ts';
import { type OutputSettings, outputSettingsOf } from '../../src/publish/build/output-settings.ts';
import type { RenderWorkers } from '../../src/publish/build/render/render-workers.ts';
import { type BuildReport, runBuild } from '../../src/publish/build/run-build.ts';
import { buildSettingAside } from '../../src/publish/build/set-aside/set-aside.ts';
import type { BlobMemory } from '../../src/publish/build/tree/blob-memory.ts';
import { verifyTree } from '../../src/publish/build/verify/verify.ts';
import { openManifest } from '../../src/publish/manifest/open-manifest.ts';
import type { Levels } from '../../src/publish/packed/boundaries.ts';
import { loadConfig } from '../../src/settings/load.ts';
import type { Config } from '../../src/settings/settings.ts';

export { parseFile, readStatKeys, readTree } from './tree-files.ts';

/** Tests that do not look at power cuts skip the disk's own waiting. */
export const NO_SYNC: Durability = {
  syncPaths: async () => undefined,
  syncTree: async () => undefined,
};

export const testConfig = (flags: Record<string, unknown> = {}): Config =>
  loadConfig({
    environment: {},
    // Trees are compared: nothing of earlier generations stays.
    flags: { siteUrl: 'https://site.test', keepReplacedHours: 0, ...flags },
  });

export type BuildOptions = {
  readonly config?: Config;
  readonly full?: boolean;
  readonly durability?: Durability;
  /** Threads to render with, or what stands in for them. */
  readonly workers?: RenderWorkers;
  readonly onProgress?: () => void;
  readonly onPlacing?: () => void;
  readonly levels?: Levels;
  readonly blobMemory?: BlobMemory;
  readonly now?: () => number;
};

/** Builds into `folder` (manifest and content folder); the same folder again is an incremental build. */
export const buildInto = async (
  store: Store,
  folder: string,
  options: BuildOptions = {},
): Promise<BuildReport> => {
  mkdirSync(folder, { recursive: true });
  const manifest = openManifest(join(folder, 'build.db'));
  const snapshot = store.snapshot();
  try {
    return await runBuild(
      {
        snapshot,
        manifest,
        contentFolder: join(folder, 'content'),
        settings: outputSettingsOf(options.config ?? testConfig(), snapshot.settings()),
        isFullAsked: options.full ?? false,
        durability: options.durability ?? NO_SYNC,
        workers: options.workers ?? null,
        ...(options.onProgress && { onProgress: options.onProgress }),
        onPlacing: options.onPlacing,
        ...(options.levels && { levels: options.levels }),
        blobMemory: options.blobMemory,
        ...(options.now && { now: options.now }),
      },
      0,
    );
  } finally {
    snapshot.close();
    manifest.close();
  }
};

type Build = (store: Store, folder: string, options: BuildOptions) => Promise<BuildReport>;

/** Builds as the publisher does: rows that cannot be rendered are set aside, and the build is announced. */
export const publishWith = async (
  build: Build,
  store: Store,
  [folder, options]: readonly [string, BuildOptions],
): Promise<BuildReport> => {
  const settingsOf = (snapshot: Snapshot): OutputSettings =>
    outputSettingsOf(options.config ?? testConfig(), snapshot.settings());
  const before = store.snapshot();
  const fingerprint = fingerprintOf(settingsOf(before));
  before.close();
  const isFull = options.full === true;
  const report = await buildSettingAside(
    { store, settingsOf, now: Date.now, fingerprint, isFull },
    () => build(store, folder, options),
  );
  const snapshot = store.snapshot();
  const mended = snapshot.setAside().filter(({ isCurrent }) => !isCurrent);
  snapshot.close();
  await store.write(async (tx) => {
    await movePublishedPosition(tx, { ...report.position, generation: 1 }, Date.now());
    await removeSetAside(tx, mended);
  });
  return report;
};

/** What verify finds in the tree of `folder`, notes left out. */
export const listFaults = async (
  store: Store,
  folder: string,
  config = testConfig(),
): Promise<string[]> => {
  const manifest = openManifest(join(folder, 'build.db'));
  const snapshot = store.snapshot();
  try {
    const settings = outputSettingsOf(config, snapshot.settings());
    const contentFolder = join(folder, 'content');
    const findings = await verifyTree({ contentFolder, manifest, snapshot, settings });
    const faults = findings.filter(({ isNote }) => isNote !== true);
    return faults.map(({ path, reason }) => `${path}: ${reason}`);
  } finally {
    snapshot.close();
    manifest.close();
  }
};

/** The rows that are set aside. */
export const listSetAside = (store: Store): ReturnType<Snapshot['setAside']> => {
  const snapshot = store.snapshot();
  const entries = snapshot.setAside();
  snapshot.close();
  return entries;
};
