// What a server, or `watch`, builds with stands in data/server-settings.json while it runs. Another program that builds
// the same publication compares: two that build with other settings would undo each other's files again and again.
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { PrepressError } from '../../base/errors.ts';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import type { FileLock } from '../../base/sqlite/lock-file.ts';
import { findSetting } from '../../publication/store/content/settings.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import {
  holdPresence,
  isSomebodyPresent,
} from '../../publication/store/locks/deliverer-presence.ts';
import type { Store } from '../../publication/store/store.ts';
import { type DataPaths, dataPathsOf } from '../../settings/data-paths.ts';
import { shownTarget } from '../../settings/deploy-targets.ts';
import { type Config, SETTING_NAMES, SETTINGS, type SettingName } from '../../settings/settings.ts';
import { siteUrlOf } from '../build/output-settings.ts';
import { listDifferences } from '../build/setting-differences.ts';

/** Settings that reach no byte of the output or of the files of hosts, and those that are compared in another way. */
const NOT_COMPARED: ReadonlySet<SettingName> = new Set<SettingName>([
  'database',
  'data',
  'lead',
  'output',
  'media',
  'siteUrl',
  'port',
  'host',
  'adminUrl',
  'contentKey',
  'mailFrom',
  'ownerEmail',
  'webhookAllow',
  'readback',
  'deployWaitMinutes',
  'followSeconds',
  'followImages',
  'authFailuresMax',
  'trustProxy',
  'connectionsMax',
  'connectionsPerAddressMax',
  'answersMax',
  'answersPerAddressMax',
  'answerMegabytesMax',
  'metrics',
  'logLevel',
  'previewLinks',
]);

const schema = z.object({
  port: z.number(),
  siteUrl: z.string().nullable(),
  others: z.record(z.string(), z.unknown()),
});

type BuildSettings = z.infer<typeof schema>;

const buildSettingsOf = (config: Config): BuildSettings => {
  const { output, media } = dataPathsOf(config);
  const bucket = bucketOf(config);
  // What is compared is shown, and other servers read it in PostgreSQL.
  const compared = SETTING_NAMES.filter(
    (name) => !NOT_COMPARED.has(name) && !SETTINGS[name].isSecret,
  ).map((name) => [name, config[name] ?? null] as const);
  return {
    port: config.port,
    siteUrl: config.siteUrl ?? null,
    // A publish is announced when the targets have it, so both must wait for the same ones.
    others: {
      output,
      media: bucket ?? media,
      ...Object.fromEntries(compared),
      deploy: config.deploy.map(shownTarget),
    },
  };
};

/** What keeps the media of all servers; null where a folder does, whose path is of a machine. */
const bucketOf = ({ media }: Config): string | null =>
  media === undefined || typeof media === 'string' ? null : shownTarget(media);

/** Those that all servers of a publication have in common: places and ports are of a machine. */
export const sharedSettingsOf = (config: Config): Readonly<Record<string, unknown>> => {
  const { siteUrl, others } = buildSettingsOf(config);
  const { output: _output, hostsReload: _reload, ...shared } = others;
  return { siteUrl, ...shared, media: bucketOf(config) };
};

/** Leaves the settings of a program that will hold the deliverer's lock. */
export const writeServerSettings = (paths: DataPaths, config: Config): void =>
  writeWhole(paths.serverSettings, `${JSON.stringify(buildSettingsOf(config), null, 1)}\n`);

/**
 * Leaves the settings, and holds the deliverer's lock as long as they count. Programs join one after another, so that all
 * which hold it have the same. Throws SETTINGS_DIFFER.
 */
export const joinServers = async (deps: Deps): Promise<FileLock> => {
  for (;;) {
    await throwIfServerDiffers(deps);
    const presence = await inTurn(deps.paths, async () => {
      if ((await findDifferences(deps, null)).length > 0) return null;
      // Before the presence: others compare with them as long as that is held.
      // Held by publishing.test.ts: "the settings are there before others see the server".
      writeServerSettings(deps.paths, deps.config);
      return holdPresence(deps.paths.delivererLock);
    });
    if (presence !== null) return presence;
  }
};

/** The settings stay while another server is there, whose settings are the same. */
export const leaveServers = async (paths: DataPaths, presence: FileLock): Promise<void> => {
  presence.release();
  await inTurn(paths, async () => {
    if (!isSomebodyPresent(paths.delivererLock)) rmSync(paths.serverSettings, { force: true });
  });
};

const inTurn = async <T>(paths: DataPaths, work: () => Promise<T>): Promise<T> => {
  const lock = await acquireBuildLock(paths.serverSettingsLock, Number.POSITIVE_INFINITY);
  try {
    return await work();
  } finally {
    lock.release();
  }
};

/** Whether no server that runs has other settings. */
export const fitsServers = async (config: Config, store: Store): Promise<boolean> =>
  (await findDifferences({ config, paths: dataPathsOf(config), store }, null)).length === 0;

/** The port that a server on this database was told; null where none runs, or where it took any that was free. */
export const findServerPort = (paths: DataPaths): number | null => {
  if (!isSomebodyPresent(paths.delivererLock)) return null;
  return readJsonFile(schema, paths.serverSettings)?.port || null;
};

/** Where the site has no address that was set, it is at the server that runs, whose port may have been given to it alone. */
export const besideServer = (config: Config): Config => {
  const paths = dataPathsOf(config);
  const port =
    config.siteUrl === undefined && existsSync(paths.serverSettings) ? findServerPort(paths) : null;
  return port === null ? config : { ...config, port };
};

type Deps = { readonly config: Config; readonly paths: DataPaths; readonly store: Store };

/** A server takes up settings that were changed a moment ago. */
const RELOAD_MS_MAX = 3_000;
const LOOK_MS = 100;

/** Where files go, whatever is in them. */
export const PLACES: readonly string[] = ['output', 'media', 'basePath'];

/** Throws SETTINGS_DIFFER when a server that runs has other settings, or other ones of those `names`. */
export const throwIfServerDiffers = async (
  deps: Deps,
  names: readonly string[] | null = null,
): Promise<void> => {
  const started = performance.now();
  for (;;) {
    const differences = await findDifferences(deps, names);
    if (differences.length === 0) return;
    if (performance.now() - started > RELOAD_MS_MAX) {
      const sentence = `A server runs on this database with other settings: ${differences.join('; ')}.`;
      throw new PrepressError('SETTINGS_DIFFER', sentence);
    }
    await sleep(LOOK_MS);
  }
};

const findDifferences = async (
  { config, paths, store }: Deps,
  names: readonly string[] | null,
): Promise<string[]> => {
  if (!isSomebodyPresent(paths.delivererLock)) return [];
  const theirs = readJsonFile(schema, paths.serverSettings);
  if (theirs === null) return [];
  const stored = await findSetting(store, 'url');
  const compared = ({
    siteUrl,
    port,
    others,
  }: BuildSettings): Readonly<Record<string, unknown>> => ({
    siteUrl: siteUrlOf({ siteUrl: siteUrl ?? undefined, port }, stored),
    ...others,
  });
  const [there, here] = [compared(theirs), compared(buildSettingsOf(config))];
  return listDifferences(there, here, names ?? Object.keys(here));
};
