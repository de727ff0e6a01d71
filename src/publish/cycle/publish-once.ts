// One cycle of the publisher: lets the clock's work happen, builds, and announces what became readable. A crash anywhere is
// made good by the next cycle: the files are then found in place, and the events are planned again from the same log.
import { PrepressError } from '../../base/errors.ts';
import { isUnfit } from '../../base/sqlite/database-fault.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import { isFollowing } from '../../publication/store/import/following.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import { type ClockState, readClockState } from '../../publication/store/log/clock-state.ts';
import { forgetChanges } from '../../publication/store/log/forget-changes.ts';
import {
  changeStatus,
  findPublishedPosition,
  listDuePosts,
  listRequestedBuilds,
} from '../../publication/store/log/publishing.ts';
import type { Store } from '../../publication/store/store.ts';
import { isLongBuild } from '../build/long-build.ts';
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
import { brokenWarnings } from '../build/set-aside/broken-rows.ts';
import { buildSettingAside } from '../build/set-aside/set-aside.ts';
import type { MediaReport } from '../output/pictures/place-media.ts';
import { updateSizes } from '../sizes/update-sizes.ts';
import { announce, announceEarly, type Cycle, openCycleEvents, recordFailure } from './announce.ts';
import { clockLine } from './clock-line.ts';
import { countOn } from './count-on.ts';
import { mediaWarnings, updateMedia } from './media.ts';
import type { PublishDeps } from './publish-deps.ts';
import { throwIfServerDiffers } from './server-settings.ts';

export type PublishOptions = {
  readonly isFull?: boolean;
  /** Rows that cannot be rendered fail the build; the tree stays as it is. */
  readonly isStrict?: boolean;
  /** The caller is the server whose settings others compare with theirs. */
  readonly isServer?: boolean;
  /** Removes at once what earlier generations had, whatever the settings say of it. */
  readonly isForgetting?: boolean;
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
  readonly queued: number;
  /** The warnings that name rows which cannot be shown as they are. */
  readonly setAside: readonly string[];
};

export type PublishReport = TurnReport & {
  /** Pictures and other files; null: another program places them now. */
  readonly media: MediaReport | null;
  /** The warning that says that the clock is behind. */
  readonly clockWarning: string | null;
};

const LOCK_TIMEOUT_MS = 10 * 60_000;

/** The order of a cycle: why each step stands where it does, and the test that fails where it stands elsewhere. */
export const publishOnce = async (
  deps: PublishDeps,
  options: PublishOptions = {},
): Promise<PublishReport> => {
  // Before anything is read: nobody else writes the tree until this cycle ends.
  // Held by publish-once.test.ts: "while another process builds, a cycle waits, and gives up when told to".
  const lock = await acquireBuildLock(
    deps.paths.buildLock,
    options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
  );
  try {
    await deps.store.reopenIfReplaced();
    deps.manifest.reopenIfReplaced();
    // Before anything is written.
    // Held by server-settings.test.ts: "a build with other settings than the server refuses, names them, and writes
    // nothing".
    if (options.isServer !== true) await throwIfServerDiffers(deps);
    // Before the first write: while the change log is gone, nothing can be written.
    // Held by publish-once.test.ts: "a change log that was dropped is made again, and everything is built and compared".
    await deps.store.mendTriggers();
    const clock = await readClockState(deps.store, deps.clock.now());
    // Before the snapshot, so that it shows what is due.
    // Held by publish-once.test.ts: "a scheduled post is published when its time has come, also if nobody ran then".
    await publishDue(deps.store, clock);
    // Before the build: no document names a picture that is yet to come.
    // Held by media.test.ts: "a picture is in its place before the first document is rendered".
    const media = await updateMedia(deps.paths, { ...options, bucket: deps.bucket });
    const report = await buildWithManifest(deps, { ...options, media });
    // After the announcement, which plans its events from the log.
    // Held by publish-once.test.ts: "the first cycle announces the site, the next ones what happened".
    await forgetPassed(deps.store, report.position.seq);
    const clockWarning = clockLine(clock);
    const warnings = [clockWarning ?? [], report.warnings, mediaWarnings(media)].flat();
    return { ...report, media, clockWarning, warnings };
  } finally {
    lock.release();
  }
};

/** What stays in the log costs some space only: the next cycle forgets it, or says what is wrong. */
const forgetPassed = (store: Store, position: number): Promise<void> =>
  forgetChanges(store, position).catch(() => undefined);

type CycleOptions = PublishOptions & {
  readonly media: MediaReport | null;
};

/** A tree that someone meddled with is built anew; a manifest that turns out to be damaged, too. */
const buildWithManifest = async (deps: PublishDeps, options: CycleOptions): Promise<TurnReport> => {
  try {
    return await buildAndAnnounce(deps, options);
  } catch (error) {
    const isTouched = error instanceof PrepressError && error.code === 'OUTPUT_DIFFERS';
    if (isTouched && !options.isFull) return buildAndAnnounce(deps, { ...options, isFull: true });
    if (!isUnfit(error) || !deps.manifest.remakeIfDamaged()) throw error;
    return buildAndAnnounce(deps, options);
  }
};

/** A source that is followed does that itself, or another server; a clock that is behind does not know what is due. */
const publishDue = async (store: Store, { isBehind, nowMs }: ClockState): Promise<void> => {
  if (isBehind || !store.leads() || (await isFollowing(store))) return;
  for (const id of await listDuePosts(store, nowMs)) {
    await changeStatus(store, id, { from: 'scheduled', to: 'published', now: nowMs });
  }
};

const buildAndAnnounce = async (deps: PublishDeps, options: CycleOptions): Promise<TurnReport> => {
  const { store, clock, config, manifest } = deps;
  const cycle: Cycle = {
    startedAt: clock.now(),
    requests: await listRequestedBuilds(store),
    published: await findPublishedPosition(store),
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
      () => buildOnce(deps, options, cycle),
    );
  } catch (error) {
    await recordFailure(deps, cycle, error);
    throw error;
  }
};

const buildOnce = async (
  deps: PublishDeps,
  options: CycleOptions,
  cycle: Cycle,
): Promise<TurnReport> => {
  const { published } = cycle;
  let opened: OpenBuild | null = null;
  const preparedFor = new Map<Snapshot, PreparedBuild>();
  try {
    // No snapshot shows what is published for a time to come.
    // Held by publish-once.test.ts: "published for a time to come is scheduled".
    opened = await openSettled(deps, {
      planOf: async (seen) => {
        const prepared = await prepareBuild(inputOf(deps, options, seen));
        preparedFor.set(seen, prepared);
        return prepared.plan;
      },
      ...(deps.buildWorkerFile !== undefined && { buildWorkerFile: deps.buildWorkerFile }),
      // A command has nobody else to answer.
      isApart: async (plan, seen) =>
        options.isServer === true && isLongBuild({ plan, snapshot: seen, manifest: deps.manifest }),
    });
    const { snapshot } = opened;
    // Once the snapshot stands: of the pictures that it names, no row comes later.
    // Held by media-bucket.test.ts: "a server fetches what its rows name before it renders".
    const absent = (await deps.bucket?.fetch(options.isFull)) ?? [];
    const cycleEvents = openCycleEvents(deps, snapshot, published);
    // Before the build, which may take long, or fail: these events need no file of it.
    // Held by publish-once.test.ts: "a draft is announced before a build has placed its files".
    const early = await announceEarly(deps, cycleEvents, published);
    // Threads of a long build have another snapshot than its plan.
    await updateSizes(deps, { ...options, snapshot, plan: preparedFor.get(snapshot)?.plan });
    const finished = await buildOpened(deps, options, {
      opened,
      prepared: preparedFor.get(snapshot),
      generationMin: published?.generation ?? 0,
    });
    const built = countOn(deps, finished, published);
    // Before the announcement: hosts have what a receiver then asks for.
    // Held by after-build.test.ts: "copies and the list of changes are there before an event is queued".
    await options.onBuilt?.(built);
    const setAside = brokenWarnings(snapshot, deps.config.shape);
    const report = { ...built, warnings: [...built.warnings, ...setAside, ...absent] };
    // Last, and after the manifest has the tree's position: a crash before it is made good from the same log.
    // Held by publish-once.test.ts: "a crash after the files and before the announcement loses no event and doubles
    // none".
    const queued = await announce(deps, { snapshot, report, cycleEvents, early, ...cycle });
    const warnings = [...report.warnings, ...cycleEvents.floods()];
    return { ...report, warnings, setAside, queued };
  } finally {
    if (opened !== null) await closeBuild(opened);
  }
};

const closeBuild = async ({ snapshot, workers, thread }: OpenBuild): Promise<void> => {
  snapshot.close();
  await workers?.close();
  await thread?.close();
};

/** What somebody saved as published for a time to come is scheduled first: no build shows it. */
const openSettled = async (
  deps: PublishDeps,
  options: Parameters<typeof openBuild>[1],
): Promise<OpenBuild> => {
  for (;;) {
    const opened = await openBuild(deps.store, options);
    let isSettled = false;
    try {
      isSettled = !(await putBack(deps, opened.snapshot));
      if (isSettled) return opened;
    } finally {
      if (!isSettled) await closeBuild(opened);
    }
  }
};

/** True when a post was scheduled, which the snapshot does not see. */
const putBack = async (
  { store, clock, manifest }: PublishDeps,
  snapshot: Snapshot,
): Promise<boolean> => {
  if (await isFollowing(store)) return false;
  // Asked once the snapshot stands: what was saved with the time of its saving is not after that.
  const now = clock.now();
  const { presentMs, isBehind } = await readClockState(store, now);
  // A clock that is behind does not judge what it knows nothing of.
  const isShown = (id: string): boolean =>
    isBehind || (['posts', 'pages'] as const).some((name) => manifest.entries(name, [id]).size > 0);
  const early = snapshot.early({ presentMs, isShown });
  if (!store.leads() && early.length > 0)
    throw new PrepressError('DATABASE_BUSY', `Post ${early[0]} waits for its schedule.`);
  for (const id of early)
    await changeStatus(store, id, { from: 'published', to: 'scheduled', now });
  return early.length > 0;
};

type OpenedBuild = {
  readonly opened: OpenBuild;
  readonly prepared: PreparedBuild | undefined;
  readonly generationMin: number;
};

const buildOpened = (
  deps: PublishDeps,
  options: PublishOptions,
  { opened, prepared, generationMin }: OpenedBuild,
): Promise<BuildReport> => {
  const { snapshot, workers, thread } = opened;
  const input = inputOf(deps, options, snapshot);
  if (thread === null) return runBuild({ ...input, workers, prepared }, generationMin);
  const { contentFolder, settings, isFullAsked } = input;
  const { paths, clock } = deps;
  const task = { contentFolder, settings, isFullAsked, generationMin, nowMs: clock.now() };
  return thread.run({ ...task, manifestPath: paths.manifest }, options.onProgress);
};

const inputOf = (
  { manifest, config, paths, blobMemory }: PublishDeps,
  { isFull = false, isForgetting = false, isAlone = false, onProgress, onPlacing }: PublishOptions,
  snapshot: Snapshot,
): BuildInput => ({
  snapshot,
  manifest,
  contentFolder: paths.contentFolder,
  settings: {
    ...outputSettingsOf(config, snapshot.settings()),
    ...(isForgetting && { keepHours: 0 }),
  },
  isFullAsked: isFull,
  isAlone,
  blobMemory,
  ...(onProgress && { onProgress }),
  onPlacing,
});
