// One turn of the publisher: lets the clock's work happen, builds, and in one transaction moves the
// announced position and queues the events of what became readable. A crash anywhere is made good by the
// next turn: the files are then found in place, and the events are planned again from the same log.
import type { Clock } from '../base/clock.ts';
import { PrepressError } from '../base/errors.ts';
import { type OpenBuild, openBuild } from '../build/open-build.ts';
import { outputSettingsOf } from '../build/output-settings.ts';
import type { RenderLines } from '../build/render-lines.ts';
import {
  type BuildInput,
  type BuildProgress,
  type BuildReport,
  type PreparedBuild,
  prepareBuild,
  runBuild,
} from '../build/run-build.ts';
import type { Config } from '../config/settings.ts';
import { planEvents } from '../delivery/plan-events.ts';
import { createAdminContext } from '../documents/admin/context.ts';
import type { Manifest } from '../store/manifest.ts';
import {
  findQueuedSteps,
  type PlannedEvent,
  queueEvents,
  subscribedEvents,
} from '../store/outbox.ts';
import {
  type BuildRequest,
  changeStatus,
  findPublishedPosition,
  listMisplacedPosts,
  listRequestedBuilds,
  movePublishedPosition,
  type PublishedPosition,
  recordBuild,
} from '../store/publishing.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { acquireBuildLock } from '../store/sqlite/build-lock.ts';
import { asKnownError, isUnfit } from '../store/sqlite/database-fault.ts';
import type { Store } from '../store/store.ts';
import { listTiers } from '../store/tiers.ts';
import type { DataPaths } from './paths.ts';
import { READBACK_MS_MAX, samplesOf } from './public-gate.ts';

export type PublishDeps = {
  readonly config: Config;
  readonly paths: DataPaths;
  readonly store: Store;
  readonly manifest: Manifest;
  readonly clock: Clock;
};

export type PublishOptions = {
  readonly isFull?: boolean;
  /** How long to wait while another process builds. */
  readonly lockTimeoutMs?: number;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Called when all is rendered, before the disk is waited for. */
  readonly onPlacing?: () => void;
  /** The process has nothing else to do: it ends when what was replaced is freed. */
  readonly isAlone?: boolean;
  /** Gives threads that were started before, once; the caller closes them if nobody takes them. */
  readonly takeLines?: () => RenderLines | null;
};

export type PublishReport = BuildReport & {
  /** Deliveries that were queued. */
  readonly queued: number;
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
    // First: while the change log is gone, nothing can be written.
    await deps.store.mendTriggers();
    await placeByClock(deps.store, deps.clock.now());
    return await buildWithManifest(deps, options);
  } finally {
    lock.release();
  }
};

/** A tree that someone meddled with is built anew; a manifest that turns out to be damaged, too. */
const buildWithManifest = async (
  deps: PublishDeps,
  options: PublishOptions,
): Promise<PublishReport> => {
  try {
    return await buildAndAnnounce(deps, options);
  } catch (error) {
    const isTouched = error instanceof PrepressError && error.code === 'OUTPUT_DIFFERS';
    if (isTouched && !options.isFull) return buildAndAnnounce(deps, { ...options, isFull: true });
    if (!isUnfit(error) || !deps.manifest.remakeIfDamaged()) throw error;
    return buildAndAnnounce(deps, options);
  }
};

/** Publishes what is due, and puts back what was published for a time to come. */
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
): Promise<PublishReport> => {
  const { store, clock } = deps;
  const startedAt = clock.now();
  const requests = await listRequestedBuilds(store.reader);
  const published = await findPublishedPosition(store.reader);
  let opened: OpenBuild | null = null;
  const preparedFor = new Map<Snapshot, PreparedBuild>();
  try {
    opened = await openBuild(store, {
      planOf: (seen) => {
        const prepared = prepareBuild(inputOf(deps, options, seen));
        preparedFor.set(seen, prepared);
        return prepared.plan;
      },
      present: () => clock.now(),
      takeLines: options.takeLines,
    });
    const { snapshot, workers } = opened;
    const early = await announceEarly(deps, snapshot, published);
    const prepared = preparedFor.get(snapshot);
    const input = { ...inputOf(deps, options, snapshot), workers, prepared };
    const report = await runBuild(input, published?.generation ?? 0);
    const queued = await announce(deps, { snapshot, report, published, requests, startedAt });
    await putBack(store, snapshot.hidden(), clock.now());
    return { ...report, queued: queued + early };
  } catch (error) {
    await recordFailure(deps, { requests, startedAt, published }, error);
    throw error;
  } finally {
    opened?.snapshot.close();
    await opened?.workers?.close();
  }
};

const inputOf = (
  { manifest, config, paths }: PublishDeps,
  { isFull = false, isAlone = false, onProgress, onPlacing }: PublishOptions,
  snapshot: Snapshot,
): BuildInput => ({
  snapshot,
  manifest,
  contentFolder: paths.contentFolder,
  settings: outputSettingsOf(config, snapshot.settings()),
  isFullAsked: isFull,
  isAlone,
  ...(onProgress && { onProgress }),
  onPlacing,
});

type Announcement = {
  readonly snapshot: Snapshot;
  readonly report: BuildReport;
  readonly published: PublishedPosition | null;
  readonly requests: readonly BuildRequest[];
  readonly startedAt: number;
};

const announce = async (deps: PublishDeps, announcement: Announcement): Promise<number> => {
  const { report, published, requests, startedAt } = announcement;
  const { store, clock, config, manifest } = deps;
  const generation = Math.max(report.generation, published?.generation ?? 0);
  const changedBytes = generation > (published?.generation ?? 0);
  const isMoved = changedBytes || published?.seq !== report.position.seq;
  if (!isMoved && published?.epoch === report.position.epoch && requests.length === 0) return 0;
  const now = clock.now();
  const events = await planFrom(deps, announcement, { generation, changedBytes, now });
  const isRead = config.readback !== undefined;
  const gate = changedBytes && isRead ? { heldUntil: now + READBACK_MS_MAX } : {};
  const samples = isRead ? samplesOf(report.files, manifest, config) : [];
  return store.write(async (writer) => {
    const late = events.filter(({ waitsForBuild }) => waitsForBuild);
    const queued = await queueEvents(writer, late, { now, ...gate });
    await movePublishedPosition(writer, { ...report.position, generation }, now);
    if (changedBytes || requests.length > 0) {
      await recordBuild(writer, requests, {
        generation,
        kind: report.kind,
        startedAt,
        finishedAt: now,
        report: JSON.stringify({
          ...report,
          files: { ...report.files, names: undefined },
          samples,
        }),
        error: null,
      });
    }
    return queued;
  });
};

/**
 * Queues what waits for no build, from the present state, while another turn builds or waits for its lock.
 * That turn, and the one after it, find these events queued.
 */
export const announceWhileBuilding = async (deps: PublishDeps): Promise<number> => {
  const { store, clock } = deps;
  const published = await findPublishedPosition(store.reader);
  const snapshot = store.snapshot(() => clock.now());
  try {
    return await announceEarly(deps, snapshot, published);
  } finally {
    snapshot.close();
  }
};

/** Queues what needs no file: drafts saved, members edited. A second time it changes nothing. */
const announceEarly = async (
  deps: PublishDeps,
  snapshot: Snapshot,
  published: PublishedPosition | null,
): Promise<number> => {
  if (published === null) return 0;
  const now = deps.clock.now();
  const options = { generation: published.generation, changedBytes: false, now };
  const events = await planFrom(deps, { snapshot, published }, options);
  const early = events.filter(({ waitsForBuild }) => !waitsForBuild);
  if (early.length === 0) return 0;
  return deps.store.write((writer) => queueEvents(writer, early, { now }));
};

type EventOptions = {
  readonly generation: number;
  readonly changedBytes: boolean;
  readonly now: number;
};

const planFrom = async (
  { store, config }: PublishDeps,
  { snapshot, published }: Pick<Announcement, 'snapshot' | 'published'>,
  { now, ...options }: EventOptions,
): Promise<PlannedEvent[]> => {
  const subscribed = await subscribedEvents(store.reader);
  if (subscribed.size === 0) return [];
  const follows = published !== null && snapshot.follows(published);
  const { render } = outputSettingsOf(config, snapshot.settings());
  return planEvents(snapshot, {
    ...options,
    after: follows ? published.seq : null,
    context: createAdminContext({ ...render, tiers: await listTiers(store.reader), now }),
    subscribed,
    queued: follows ? await findQueuedSteps(store.reader, published) : [],
  });
};

const recordFailure = async (
  { store, clock }: PublishDeps,
  { requests, startedAt, published }: Pick<Announcement, 'requests' | 'startedAt' | 'published'>,
  error: unknown,
): Promise<void> => {
  const known = asKnownError(error);
  const sentence = known instanceof PrepressError ? known.message : 'Something went wrong.';
  try {
    await store.write((writer) =>
      recordBuild(writer, requests, {
        generation: published?.generation ?? 0,
        kind: 'incremental',
        startedAt,
        finishedAt: clock.now(),
        report: null,
        error: sentence,
      }),
    );
  } catch {
    // The database cannot be written; the error of the build itself is the one to tell.
  }
};
