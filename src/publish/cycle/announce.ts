// Announces what a build made readable: in one transaction the announced position moves and the deliveries are
// queued. Events that need no file are queued earlier. Also writes down how a cycle ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { closing } from '../../base/closing.ts';
import { problemOf } from '../../base/sqlite/database-fault.ts';
import { ALL_CHANGED, type ChangedNames, nameFew } from '../../content/paths/changed-names.ts';
import { isBlobBelow } from '../../content/paths/files.ts';
import { createAdminContext } from '../../publication/documents/admin/document-context.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import {
  type BuildRequest,
  findPublishedPosition,
  movePublishedPosition,
  notesBuilds,
  type PublishedPosition,
  recordBuild,
} from '../../publication/store/log/publishing.ts';
import { removeSetAside } from '../../publication/store/log/set-aside.ts';
import { listTiers } from '../../publication/store/members/tiers.ts';
import type { Queryable } from '../../publication/store/store.ts';
import {
  findQueuedSteps,
  type PlannedEvent,
  packEvents,
  queueEvents,
  subscribedEvents,
} from '../../publication/store/webhooks/outbox.ts';
import { outputSettingsOf } from '../build/output-settings.ts';
import type { BuildReport } from '../build/run-build.ts';
import {
  draftEvents,
  type EventDraft,
  type FormatOptions,
  formatEvents,
  needsDrafts,
} from '../webhooks/events/plan-events.ts';
import type { PublishDeps } from './publish-deps.ts';
import { storedSlugs } from './stored-slugs.ts';
import { holdMsOf, SERVERS_HOLD_MS, samplesOf } from './webhook-hold.ts';

/** What a cycle of the publisher began with. */
export type Cycle = {
  readonly startedAt: number;
  readonly requests: readonly BuildRequest[];
  readonly published: PublishedPosition | null;
};

type Announcement = Cycle & {
  readonly snapshot: Snapshot;
  readonly report: BuildReport;
  readonly cycleEvents: CycleEvents;
  /** How many events were queued before the build; null: another server led, or has announced since. */
  readonly early: number | null;
};

/** How many events were queued, those before the build included. */
export const announce = async (deps: PublishDeps, announcement: Announcement): Promise<number> => {
  const { cycleEvents, published } = announcement;
  const early = announcement.early ?? (await announceEarly(deps, cycleEvents, published));
  return early === null ? 0 : early + (await announceBuild(deps, announcement));
};

const announceBuild = async (deps: PublishDeps, announcement: Announcement): Promise<number> => {
  const { snapshot, report, cycleEvents, published, requests, startedAt } = announcement;
  const { store, clock, config, manifest } = deps;
  if (!notesBuilds(store)) return 0;
  const generation = Math.max(report.generation, published?.generation ?? 0);
  const changedBytes = generation > (published?.generation ?? 0);
  // Rows that changed since they were set aside, and were rendered.
  const mended = snapshot.setAside().filter(({ isCurrent }) => !isCurrent);
  const isMoved = changedBytes || mended.length > 0 || published?.seq !== report.position.seq;
  if (!isMoved && published?.epoch === report.position.epoch && requests.length === 0) return 0;
  const now = clock.now();
  const events = await packEvents(
    await cycleEvents.plan({
      ...{ generation, now, waitsForBuild: true },
      changedBytes: changedBytes && !hasForgottenAlone(report, published),
      nameChanges: () => namesOfChanges(deps, report, published),
    }),
  );
  const hold = changedBytes ? await holdOf(deps, { seq: report.position.seq, now }) : {};
  const samples = config.readback !== undefined ? samplesOf(report.files, manifest, config) : [];
  return store.write(async (tx) => {
    // Another server announced meanwhile: the next cycle goes on from there.
    if (!isSamePosition(await findPublishedPosition(tx), published)) return 0;
    const queued = await queueEvents(tx, events, { now, ...hold });
    await movePublishedPosition(tx, { ...report.position, generation }, now);
    await removeSetAside(tx, mended);
    if (changedBytes || requests.length > 0) {
      await recordBuild(tx, requests, {
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
  }, AS_LEADER);
};

const isSamePosition = (one: PublishedPosition | null, other: PublishedPosition | null): boolean =>
  one?.epoch === other?.epoch && one?.seq === other?.seq && one?.generation === other?.generation;

/** The fence: nothing is announced by a server that no longer leads. */
const AS_LEADER = { asLeader: true } as const;

/** This build removed kept blobs, which no document names, and nothing else is new since the last announcement. */
const hasForgottenAlone = (
  { files, generation }: BuildReport,
  published: PublishedPosition | null,
): boolean =>
  generation - 1 === published?.generation &&
  files.written === 0 &&
  files.removed > 0 &&
  files.names?.removed.every((name) => isBlobBelow('', name)) === true;

/** Nothing: the deliveries leave at once. */
const holdOf = async (
  { store, config }: PublishDeps,
  { seq, now }: { readonly seq: number; readonly now: number },
): Promise<{ heldUntil?: number }> => {
  const lacking = await store.servers.lacking(seq);
  const holdMs = (holdMsOf(config) ?? 0) + (lacking.length > 0 ? SERVERS_HOLD_MS : 0);
  return holdMs > 0 ? { heldUntil: now + holdMs } : {};
};

/** All, where another build has changed the tree since the last announcement, or this one does not know what it changed. */
const namesOfChanges = (
  deps: PublishDeps,
  { files, generation }: BuildReport,
  published: PublishedPosition | null,
): ChangedNames => {
  const { names, written, removed } = files;
  const isOwn = written + removed > 0 && generation - 1 === published?.generation;
  if (!isOwn || names === null) return ALL_CHANGED;
  const options = { basePath: deps.config.basePath, slugOf: storedSlugs(deps) };
  return nameFew([...names.written, ...names.removed], options);
};

/**
 * Queues what waits for no build, from the present state, while another cycle builds or waits for its lock.
 * That cycle, and the one after it, find these events queued.
 */
const announceWhileBuilding = async (deps: PublishDeps): Promise<number | null> => {
  const { store } = deps;
  const published = await findPublishedPosition(store);
  return closing(store.snapshot(), (snapshot) =>
    announceEarly(deps, openCycleEvents(deps, snapshot, published), published),
  );
};

/** How often, while a build runs, events that wait for none are looked for. */
const BESIDE_MS = 500;

/** A long build, or the wait for another program's, holds up no event that needs no file. */
export const announceBeside = (deps: PublishDeps): { readonly end: () => Promise<void> } => {
  const ending = new AbortController();
  const { signal } = ending;
  const run = async (): Promise<void> => {
    // What woke the cycle may wait with it for another program's build.
    let seen = '';
    for (;;) {
      await sleep(BESIDE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { log } = deps.store.publicationMark();
        if (log === seen) continue;
        if ((await announceWhileBuilding(deps)) !== null) seen = log;
      } catch {
        // What fails here is done, or told, by the cycle.
      }
    }
  };
  const running = run();
  return {
    end: () => {
      ending.abort();
      return running;
    },
  };
};

/**
 * Queues what needs no file: drafts saved, members edited. A second time it changes nothing. Null: another server leads, or
 * has announced since the position was read.
 */
export const announceEarly = async (
  { store, clock }: PublishDeps,
  cycleEvents: CycleEvents,
  published: PublishedPosition | null,
): Promise<number | null> => {
  if (!notesBuilds(store)) return null;
  if (published === null) return 0;
  const { generation } = published;
  for (;;) {
    const now = clock.now();
    const options = { generation, changedBytes: false, now, waitsForBuild: false };
    const early = await packEvents(await cycleEvents.plan(options));
    if (early.length === 0) return 0;
    const queued = await store.write(async (tx) => {
      if (!isSamePosition(await findPublishedPosition(tx), published)) return null;
      return (await cycleEvents.isOutdated(tx)) ? 'outdated' : queueEvents(tx, early, { now });
    }, AS_LEADER);
    if (queued !== 'outdated') return queued;
  }
};

export type CycleEvents = {
  /** The log is read once, when somebody subscribes to what it says. */
  readonly plan: (options: Omit<FormatOptions, 'subscribed'>) => Promise<PlannedEvent[]>;
  /** True when another cycle has queued steps since the log was read; then it is read again. */
  readonly isOutdated: (from: Queryable) => Promise<boolean>;
  /** A sentence for each kind of record of which too many changed to be told one by one. */
  readonly floods: () => string[];
};

export const openCycleEvents = (
  { store, config, clock }: PublishDeps,
  snapshot: Snapshot,
  published: PublishedPosition | null,
): CycleEvents => {
  const follows = published !== null && snapshot.follows(published);
  const floods = new Map<string, number>();
  let read: { readonly drafts: readonly EventDraft[]; readonly queued: number } | null = null;
  const readDrafts = async (after: PublishedPosition): Promise<NonNullable<typeof read>> => {
    const { render } = outputSettingsOf(config, snapshot.settings());
    const tiers = await listTiers(store);
    const queued = await findQueuedSteps(store, after);
    const context = createAdminContext({
      ...render,
      tiers,
      hasAvatars: config.avatar,
      now: clock.now(),
    });
    const drafts = await draftEvents(snapshot, {
      after: after.seq,
      context,
      queued,
      onFlood: (table, records) => floods.set(table, records),
    });
    return { drafts, queued: queued.length };
  };
  return {
    plan: async (options) => {
      const subscribed = await subscribedEvents(store);
      if (subscribed.size === 0) return [];
      if (follows && needsDrafts(subscribed)) read ??= await readDrafts(published);
      return formatEvents(read?.drafts ?? [], { ...options, subscribed });
    },
    isOutdated: async (from) => {
      if (!follows || read === null) return false;
      if ((await findQueuedSteps(from, published)).length === read.queued) return false;
      read = null;
      return true;
    },
    floods: () =>
      [...floods].map(
        ([table, records]) =>
          `Rows of ${records} ${table} were changed at once by another program, so only site.changed is sent for them.`,
      ),
  };
};

export const recordFailure = async (
  { store, clock }: PublishDeps,
  { requests, startedAt, published }: Cycle,
  error: unknown,
): Promise<void> => {
  if (!notesBuilds(store)) return;
  try {
    await store.write((tx) =>
      recordBuild(tx, requests, {
        generation: published?.generation ?? 0,
        kind: 'incremental',
        startedAt,
        finishedAt: clock.now(),
        report: null,
        error: problemOf(error).message,
      }),
    );
  } catch {
    // The database cannot be written; the error of the build itself is the one to tell.
  }
};
