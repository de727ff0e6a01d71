// One turn of the publisher: lets the clock's work happen, builds, and announces what became readable. A crash
// anywhere is made good by the next turn: the files are then found in place, and the events are planned again
// from the same log.
import type { Clock } from '../base/clock.ts';
import { PrepressError } from '../base/errors.ts';
import type { BlobMemory } from '../build/blob-memory.ts';
import { type OpenBuild, openBuild } from '../build/open-build.ts';
import { outputSettingsOf } from '../build/output-settings.ts';
import {
  type BuildInput,
  type BuildProgress,
  type BuildReport,
  type PreparedBuild,
  prepareBuild,
  runBuild,
} from '../build/run-build.ts';
import { buildSettingAside } from '../build/set-aside.ts';
import { setAsideWarnings } from '../build/set-aside-lines.ts';
import type { Config } from '../config/settings.ts';
import type { MediaReport } from '../emit/place-media.ts';
import { isFollowing } from '../store/following.ts';
import { forgetChanges } from '../store/forget-changes.ts';
import type { Manifest } from '../store/manifest.ts';
import {
  changeStatus,
  findPublishedPosition,
  listMisplacedPosts,
  listRequestedBuilds,
} from '../store/publishing.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { acquireBuildLock } from '../store/sqlite/build-lock.ts';
import { isUnfit } from '../store/sqlite/database-fault.ts';
import type { Store } from '../store/store.ts';
import { announce, announceEarly, openTurnEvents, recordFailure, type Turn } from './announce.ts';
import { mediaWarnings, updateMedia } from './media.ts';
import type { DataPaths } from './paths.ts';
import { throwIfServerDiffers } from './server-settings.ts';

export type PublishDeps = {
  readonly config: Config;
  readonly paths: DataPaths;
  readonly store: Store;
  readonly manifest: Manifest;
  readonly clock: Clock;
  /** Of a program that stays open. */
  readonly blobMemory?: BlobMemory;
};

export type PublishOptions = {
  readonly isFull?: boolean;
  /** Rows that cannot be rendered fail the build; the tree stays as it is. */
  readonly isStrict?: boolean;
  /** The caller is the server whose settings others compare with theirs. */
  readonly isServer?: boolean;
  /** How long to wait while another process builds. */
  readonly lockTimeoutMs?: number;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Called when the tree is in place, before the position moves and events that wait for the build are queued. */
  readonly onBuilt?: ((report: BuildReport) => Promise<void>) | undefined;
  /** Called when all is rendered, before the disk is waited for. */
  readonly onPlacing?: () => void;
  /** The process has nothing else to do: it ends when what was replaced is freed. */
  readonly isAlone?: boolean;
};

type TurnReport = BuildReport & {
  /** Deliveries that were queued. */
  readonly queued: number;
  /** The warnings that name rows which cannot be rendered. */
  readonly setAside: readonly string[];
};

export type PublishReport = TurnReport & {
  /** Pictures and other files; null: another program places them now. */
  readonly media: MediaReport | null;
};

const LOCK_TIMEOUT_MS = 10 * 60_000;

export const publishOnce = async (
  deps: PublishDeps,
  options: PublishOptions = {},
): Promise<PublishReport> => {
  const lock = await acquireBuildLock(
    deps.paths.buildLock,
    options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
  );
  try {
    await deps.store.reopenIfReplaced();
    deps.manifest.reopenIfReplaced();
    if (options.isServer !== true) await throwIfServerDiffers(deps);
    // First: while the change log is gone, nothing can be written.
    await deps.store.mendTriggers();
    if (!(await isFollowing(deps.store.reader))) await placeByClock(deps.store, deps.clock.now());
    // First: no document names a picture that is yet to come.
    const media = await updateMedia(deps.paths, options);
    const report = await buildWithManifest(deps, options);
    await forgetPassed(deps.store, report.position.seq);
    return { ...report, media, warnings: [...report.warnings, ...mediaWarnings(media)] };
  } finally {
    lock.release();
  }
};

/** What stays in the log costs some space only: the next turn forgets it, or says what is wrong. */
const forgetPassed = async (store: Store, position: number): Promise<void> => {
  await forgetChanges(store, position).catch(() => undefined);
};

/** A tree that someone meddled with is built anew; a manifest that turns out to be damaged, too. */
const buildWithManifest = async (
  deps: PublishDeps,
  options: PublishOptions,
): Promise<TurnReport> => {
  try {
    return await buildAndAnnounce(deps, options);
  } catch (error) {
    const isTouched = error instanceof PrepressError && error.code === 'OUTPUT_DIFFERS';
    if (isTouched && !options.isFull) return buildAndAnnounce(deps, { ...options, isFull: true });
    if (!isUnfit(error) || !deps.manifest.remakeIfDamaged()) throw error;
    return buildAndAnnounce(deps, options);
  }
};

/** Publishes what is due, and puts back what was published for a time to come. A source that is followed does that itself. */
const placeByClock = async (store: Store, now: number): Promise<void> => {
  const { due, early } = await listMisplacedPosts(store.reader, now);
  for (const id of due) await changeStatus(store, id, { from: 'scheduled', to: 'published', now });
  await putBack(store, early, now);
};

/**
 * Schedules what was published for a time to come. That of a snapshot, which came after the look at the clock, would
 * not be looked at again.
 */
const putBack = async (store: Store, ids: readonly string[], now: number): Promise<void> => {
  for (const id of ids) await changeStatus(store, id, { from: 'published', to: 'scheduled', now });
};

const buildAndAnnounce = async (
  deps: PublishDeps,
  options: PublishOptions,
): Promise<TurnReport> => {
  const { store, clock, config, manifest } = deps;
  const turn: Turn = {
    startedAt: clock.now(),
    requests: await listRequestedBuilds(store.reader),
    published: await findPublishedPosition(store.reader),
  };
  try {
    return await buildSettingAside(
      {
        store,
        settingsOf: (snapshot) => outputSettingsOf(config, snapshot.settings()),
        now: () => clock.now(),
        fingerprint: manifest.state()?.fingerprint ?? null,
        isFull: options.isFull === true,
        isStrict: options.isStrict === true,
      },
      () => buildOnce(deps, options, turn),
    );
  } catch (error) {
    await recordFailure(deps, turn, error);
    throw error;
  }
};

const buildOnce = async (
  deps: PublishDeps,
  options: PublishOptions,
  turn: Turn,
): Promise<TurnReport> => {
  const { store, clock } = deps;
  const { published } = turn;
  let opened: OpenBuild | null = null;
  const preparedFor = new Map<Snapshot, PreparedBuild>();
  try {
    opened = await openBuild(store, {
      planOf: async (seen) => {
        const prepared = await prepareBuild(inputOf(deps, options, seen));
        preparedFor.set(seen, prepared);
        return prepared.plan;
      },
      present: () => clock.now(),
    });
    const { snapshot, workers } = opened;
    const turnEvents = openTurnEvents(deps, snapshot, published);
    const early = await announceEarly(deps, turnEvents, published);
    const prepared = preparedFor.get(snapshot);
    const input = { ...inputOf(deps, options, snapshot), workers, prepared };
    const built = await runBuild(input, published?.generation ?? 0);
    await options.onBuilt?.(built);
    const setAside = setAsideWarnings(snapshot);
    const report = { ...built, warnings: [...built.warnings, ...setAside] };
    const queued = await announce(deps, { snapshot, report, turnEvents, ...turn });
    if (!(await isFollowing(store.reader))) await putBack(store, snapshot.hidden(), clock.now());
    return { ...report, setAside, queued: queued + early };
  } finally {
    opened?.snapshot.close();
    await opened?.workers?.close();
  }
};

const inputOf = (
  { manifest, config, paths, blobMemory }: PublishDeps,
  { isFull = false, isAlone = false, onProgress, onPlacing }: PublishOptions,
  snapshot: Snapshot,
): BuildInput => ({
  snapshot,
  manifest,
  contentFolder: paths.contentFolder,
  settings: outputSettingsOf(config, snapshot.settings()),
  isFullAsked: isFull,
  isAlone,
  blobMemory,
  ...(onProgress && { onProgress }),
  onPlacing,
});
