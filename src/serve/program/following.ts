// Following of a program that runs for long: begins it when that is asked for, looks again and again, and logs what
// was found, and the loss and the return of the source. No line holds the address of a source, only its name.
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { PrepressError } from '../../base/errors.ts';
import { counted, shown } from '../../base/text/counted.ts';
import { type FollowState, notingFailure } from '../../publication/follow/follow-state.ts';
import { type SyncLoop, startSyncLoop } from '../../publication/follow/sync-loop.ts';
import { type SyncReport, syncOnce } from '../../publication/follow/sync-once.ts';
import { warningLine } from '../../publication/import/import-report.ts';
import { openLastingSource } from '../../publication/sources/open-source.ts';
import type { Source } from '../../publication/sources/source.ts';
import { isAddress } from '../../publication/sources/source-name.ts';
import { findFollowing } from '../../publication/store/import/following.ts';
import type { WholeChange } from '../../publish/cycle/publisher.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import { createDatabaseFor, throwIfRefused } from '../workspace/create-database.ts';
import { printSkipped } from '../workspace/print-import.ts';
import { replacingSample } from '../workspace/replacing-sample.ts';
import type { Report } from '../workspace/report.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { followImages } from './followed-images.ts';
import type { Logger } from './server-log.ts';
import { type Watching, watchFile } from './watch-files.ts';

export type Following = {
  /** Throws where a source that is not followed yet cannot be read; one that is followed may come back. */
  readonly check: () => Promise<void>;
  /** Takes the first look where nothing, or another source, is followed. Throws what that throws. */
  readonly begin: () => Promise<void>;
  /** Looks from now on; `onTaken` when the publication changed. */
  readonly start: (onTaken: (change: WholeChange) => void) => void;
  readonly wake: () => void;
  /** Resolves when the looks that were asked for have ended, or after some seconds. */
  readonly settled: () => Promise<void>;
  /** Null when nothing is followed. */
  readonly state: () => FollowState | null;
  readonly close: () => Promise<void>;
};

export type FollowingOptions = {
  readonly logger: Logger;
  readonly report: Report;
  /** A command asks for it: following that somebody ended is begun again. */
  readonly isAsked?: boolean;
  /** Address of the site, to be stored with the first look. */
  readonly siteUrl?: string | undefined;
};

/** Follows what the setting `follow` names; nothing without it. */
export const createFollowing = (workspace: Workspace, options: FollowingOptions): Following => {
  const { config, store } = workspace;
  const { follow: address } = config;
  const { logger } = options;
  let source: Source | null = null;
  let onChanged: (change: WholeChange) => void = () => undefined;
  const images = followImages(workspace, {
    logger,
    onBrought: () => onChanged({ isWhole: false }),
  });
  let follower: SyncLoop | null = null;
  let watching: readonly Watching[] = [];
  const howToBegin = async (opened: Source): Promise<Beginning> =>
    store.leads() ? findBeginning(workspace, opened, options.isAsked === true) : 'followed';
  return {
    check: async () => {
      if (address === undefined) return;
      source ??= await openToFollow(config, address);
      if ((await howToBegin(source)) === 'begin') await throwIfRefused(source);
    },
    begin: async () => {
      if (address === undefined) return;
      source ??= await openToFollow(config, address);
      const how = await howToBegin(source);
      if (how === 'begin') {
        await images?.check();
        await lookFirst({ ...workspace, source }, options);
        await images?.bring();
      } else if (how === 'followed') {
        // What an earlier run did not get.
        void images?.bring();
      }
    },
    start: (onTaken) => {
      if (source === null) return;
      onChanged = onTaken;
      const { name, files = [] } = source;
      follower = startSyncLoop({
        store,
        source,
        clock: systemClock,
        intervalMs: config.followSeconds * 1_000,
        statePath: workspace.paths.followState,
        onRead: images?.bring,
        renderer: workspace.useCases.formats,
        permalinks: config.permalinks,
        onTaken: (taken) => {
          logTaken(logger, taken);
          // A look takes whole transactions of the source.
          onTaken({ isWhole: taken.changed + taken.gone <= FEW_ROWS_MAX });
        },
        onWarning: (sentence) => logger.warn({ source: name }, sentence),
        onLost: ({ code, message }: PrepressError) =>
          logger.error({ source: name, code }, `the source cannot be followed: ${message}`),
        onReturned: () => logger.info({ source: name }, 'the source is followed again'),
        onEnded: () => logger.warn({ source: name }, ENDED),
      });
      const wake = follower.wake;
      watching = files.map((file) => watchFile(file, wake, { firstMs: COMMIT_MS }));
    },
    wake: () => follower?.wake(),
    settled: async () => follower?.settled(),
    state: () => follower?.state() ?? null,
    close: async () => {
      onChanged = () => undefined;
      await Promise.all(watching.map(({ close }) => close()));
      await follower?.close();
      await source?.close();
    },
  };
};

/** The rows that a save of one post touches are fewer. */
const FEW_ROWS_MAX = 50;
/** A commit writes its files within this. */
const COMMIT_MS = 20;

const ENDED =
  'the source is not followed, because --detach ended following: "prepress follow" starts it again';

/** Throws USAGE. */
const openToFollow = async ({ sourceKey: key }: Config, address: string): Promise<Source> => {
  throwIfCsv(address);
  return openLastingSource(placeOf(address), { key });
};

/** Nothing is made for a source that is refused. */
export const createDatabaseToFollow = async (config: Config, address: string): Promise<void> => {
  const source = await openToFollow(config, address);
  try {
    const seen = { path: dataPathsOf(config).followState, source: source.name, clock: systemClock };
    await notingFailure(seen, () => createDatabaseFor(config, source));
  } finally {
    await source.close();
  }
};

/** A file is known by its whole path, in whatever folder a program runs. */
export const placeOf = (address: string): string =>
  isAddress(address) ? address : resolve(address);

/** Throws USAGE for a file of members, which is imported once. */
const throwIfCsv = (place: string): void => {
  if (isAddress(place) || !/\.csv$/i.test(place)) return;
  const sentence = `A members CSV cannot be followed: import it with "prepress import ${place}".`;
  throw new PrepressError('USAGE', sentence);
};

type Beginning = 'begin' | 'ended' | 'followed';

const findBeginning = async (
  { store }: Pick<Workspace, 'store'>,
  source: Source,
  isAsked: boolean,
): Promise<Beginning> => {
  const following = await findFollowing(store);
  if (following === undefined) return 'begin';
  if (following.detached_at !== null) return isAsked ? 'begin' : 'ended';
  return following.source === source.name ? 'followed' : 'begin';
};

type Looking = Pick<Workspace, 'config' | 'store' | 'paths' | 'useCases'> & {
  readonly source: Source;
};

const lookFirst = async (
  looking: Looking,
  { report, siteUrl }: Pick<FollowingOptions, 'report' | 'siteUrl'>,
): Promise<void> => {
  const { store, source } = looking;
  const onProgress = (share: number): void =>
    report.progress({ done: share, total: 1, text: `reading ${source.name}` });
  const taken = await replacingSample(looking, () =>
    syncOnce(
      { store, source },
      {
        ...{ begins: true, siteUrl, onProgress, permalinks: looking.config.permalinks },
        renderer: looking.useCases.formats,
      },
    ),
  );
  report.endProgress();
  if (taken !== null) printTaken(report, taken);
  report.print(`The publication now follows ${source.name}.`);
  if (source.notice !== undefined) report.print(source.notice);
};

/** What a look took, in lines for people. */
export const printTaken = (
  report: Report,
  { changed, gone, skipped, leftOut, warnings }: SyncReport,
): void => {
  report.print(`${counted(changed, 'row')} imported, ${shown(gone)} removed.`);
  printSkipped(report, { skipped, leftOut });
  for (const warning of warnings) report.print(warningLine(warning));
};

const SKIPPED_SHOWN_MAX = 50;

const logTaken = (logger: Logger, { changed, gone, skipped, leftOut }: SyncReport): void => {
  logger.info({ changed, gone }, 'imported changes of the source');
  if (skipped.length > 0) {
    const rows = skipped.slice(0, SKIPPED_SHOWN_MAX);
    logger.warn({ rows, count: skipped.length }, 'rows of the source that cannot be imported');
  }
  if (leftOut.length > 0) {
    const values = leftOut.slice(0, SKIPPED_SHOWN_MAX);
    logger.warn({ values, count: leftOut.length }, 'values of the source that cannot be read');
  }
};
