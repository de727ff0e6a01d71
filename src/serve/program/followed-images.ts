// Pictures and other files of a source that is followed, as the setting followImages asks: those that rows name and the
// media folder lacks, from Ghost's content folder or from the site. They come before the rows that name them, but a
// site that is slow, or away, holds no row back for long. What could not be had is tried again at the next start, and
// when a row that names it changes.
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findStat } from '../../base/files/stat-key.ts';
import { limitConcurrency } from '../../base/limit-concurrency.ts';
import { type CopyReport, copyImages } from '../../publication/import/images/images.ts';
import { isGhostAddress } from '../../publication/sources/ghost-address/address.ts';
import { isAddress } from '../../publication/sources/source-name.ts';
import { fillMedia } from '../../publish/cycle/media.ts';
import { fetchImagesFrom, findNamedImages } from '../workspace/fetch-images.ts';
import { checkImages } from '../workspace/import-images.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Logger } from './server-log.ts';

/** Rows wait no longer for their pictures. */
const WAIT_MS_MAX = 10_000;

const SHOWN_MAX = 50;

type Images = {
  /** Throws IMPORT_UNREADABLE or USAGE when the place cannot be one. */
  readonly check: () => Promise<void>;
  /** What these rows name and the media folder lacks; `rows` as JSON, absent: those of the publication. */
  readonly findLacking: (rows?: Iterable<string>) => Promise<readonly string[]>;
  /** Throws what reading the folder, or writing to the media folder, throws. */
  readonly take: (lacking: readonly string[]) => Promise<CopyReport>;
};

/** Null when pictures are not asked for. */
export const imagesOfSource = (workspace: Workspace): Images | null => {
  const { config, paths } = workspace;
  const place = config.followImages;
  if (place === undefined) return null;
  const from = isAddress(place) ? place : resolve(place);
  return {
    check: () => checkImages(from),
    findLacking: async (rows) => {
      const named = await findNamedImages(workspace, { from, rows });
      return [...named.paths].filter((path) => findStat(join(paths.media, path)) === undefined);
    },
    take: (lacking) =>
      fillMedia(paths, () =>
        isGhostAddress(from)
          ? fetchImagesFrom(workspace, { from, paths: lacking })
          : copyImages(from, paths.media),
      ),
  };
};

export type FollowedImages = Pick<Images, 'check'> & {
  /**
   * Takes what these rows name, as `findLacking`. Resolves when that is done, or after some seconds; never rejects:
   * the log says what became of it.
   */
  readonly bring: (rows?: Iterable<string>) => Promise<void>;
};

type Options = {
  readonly logger: Logger;
  /** Files came that the next cycle can place. */
  readonly onBrought: () => void;
};

export const followImages = (
  workspace: Workspace,
  { logger, onBrought }: Options,
): FollowedImages | null => {
  const images = imagesOfSource(workspace);
  if (images === null) return null;
  const oneByOne = limitConcurrency(1);
  const take = async (lacking: readonly string[]): Promise<void> => {
    const { copied, skipped } = await oneByOne(() => images.take(lacking));
    if (copied > 0) {
      logger.info({ copied }, 'pictures of the source were taken');
      onBrought();
    }
    if (skipped.length === 0) return;
    const files = skipped.slice(0, SHOWN_MAX);
    logger.warn({ files, count: skipped.length }, 'pictures of the source that cannot be taken');
  };
  const logFailure = (error: unknown): void =>
    logger.error({ err: error }, 'pictures were not taken');
  return {
    check: images.check,
    bring: async (rows) => {
      try {
        const lacking = await images.findLacking(rows);
        if (lacking.length > 0) await atMost(WAIT_MS_MAX, take(lacking).catch(logFailure));
      } catch (error) {
        logFailure(error);
      }
    },
  };
};

const atMost = async (milliseconds: number, work: Promise<void>): Promise<void> => {
  const done = new AbortController();
  const waiting = sleep(milliseconds, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, waiting]);
  done.abort();
};
