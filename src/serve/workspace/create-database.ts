// The only maker of publishing databases. One is made under a name of its own and takes its place when it is
// whole: what stands was finished, and a making that broke off is begun again. A lock lets one make it at a time.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { closing } from '../../base/closing.ts';
import { PrepressError } from '../../base/errors.ts';
import { realDurability } from '../../base/files/durability.ts';
import { storeSiteUrl } from '../../publication/import/intake/site-url.ts';
import { importSample } from '../../publication/import/sample/sample.ts';
import { copySamplePictures } from '../../publication/import/sample/sample-pictures.ts';
import { isGhostAddress } from '../../publication/sources/ghost-address/address.ts';
import type { Source } from '../../publication/sources/source.ts';
import { SITE_SETTING, saveSetting } from '../../publication/store/content/settings.ts';
import { makeDataFolder } from '../../publication/store/data-folder.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import { isPublicationAt } from '../../publication/store/open-store.ts';
import { siteUrlOf } from '../../publish/build/output-settings.ts';
import { fillMedia } from '../../publish/cycle/media.ts';
import { type DataPaths, dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import { openWorkspace } from './workspace.ts';

/** Another program that makes the same database needs less than this. */
const LOCK_TIMEOUT_MS = 60_000;

type CreateOptions = {
  /** Without the sample publication. */
  readonly isEmpty: boolean;
  /** Pages for readers are made of it, unless a setting says otherwise. */
  readonly hasSite?: boolean;
  /** Kept as the site's address of an empty publication; what an import tells takes its place. */
  readonly siteUrl?: string | undefined;
};

/** False when the database stands already; it is then left as it is. */
export const createDatabase = async (config: Config, options: CreateOptions): Promise<boolean> => {
  const paths = dataPathsOf(config);
  const { database, buildLock, postgres } = paths;
  if (postgres !== null || isPublicationAt(database)) return false;
  const folder = dirname(database);
  makeDataFolder(paths);
  const lock = await acquireBuildLock(buildLock, LOCK_TIMEOUT_MS);
  const draft = `${database}.new`;
  try {
    if (isPublicationAt(database)) return false;
    removeFiles(draft);
    await fill({ ...config, database: draft }, options);
    if (!options.isEmpty) await bringPictures(paths);
    // A log that was left of a database that was removed would be laid over this one.
    removeFiles(database);
    renameSync(draft, database);
    await realDurability.syncPaths(folder, new Set([database, folder]));
    return true;
  } finally {
    removeFiles(draft);
    lock.release();
  }
};

/**
 * As `createDatabase`, an empty one for the rows of `source`. Nothing is made for a source that is refused when it is
 * opened; one that is read through the content interface is not opened for that, which takes long.
 */
export const createDatabaseFor = async (config: Config, source: Source | null): Promise<void> => {
  const isFirst = !isPublicationAt(dataPathsOf(config).database);
  if (isFirst && source !== null) await throwIfRefused(source);
  await createDatabase(config, { isEmpty: true });
};

/** Throws what opening it throws. */
export const throwIfRefused = async (source: Source): Promise<void> => {
  if (isGhostAddress(source.name)) return;
  const state = await source.open();
  await state.close();
};

const fill = async (
  config: Config,
  { isEmpty, siteUrl, hasSite = false }: CreateOptions,
): Promise<void> => {
  await closing(await openWorkspace(config, { create: true }), async ({ store, clock }) => {
    if (!isEmpty) await importSample(store, siteUrlOf(config, null));
    if (hasSite) {
      const row = { key: SITE_SETTING, value: 'true', type: 'boolean' };
      await store.write((tx) => saveSetting(tx, row, clock.now()));
    }
    if (isEmpty && siteUrl !== undefined) {
      await store.write((tx) => storeSiteUrl(tx, siteUrl, clock.now()));
    }
  });
  // The last connection moves the log into the database, unless it cannot.
  if (existsSync(`${config.database}-wal`)) {
    throw new PrepressError('DATABASE_UNWRITABLE', 'The new database could not be written whole.');
  }
};

/** Where there can be no media folder, the sample is there without its pictures. */
const bringPictures = async (paths: DataPaths): Promise<void> => {
  try {
    await fillMedia(paths, () => copySamplePictures(paths.media));
  } catch (error) {
    if (!(error instanceof PrepressError)) throw error;
  }
};

const removeFiles = (database: string): void => {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${database}${end}`, { force: true });
};
