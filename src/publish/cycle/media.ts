// The media folder of a publication: brings files into it, and what it holds into the output. One program at a time
// works on many files; another cycle leaves them to it. A publication whose pictures were imported before there was a
// media folder, or whose media folder was lost, takes them from the output.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { closing, releasing } from '../../base/closing.ts';
import { copyMedia } from '../../publication/media/copy-media.ts';
import { findMediaFolders, type Skipped } from '../../publication/media/media-folder.ts';
import { openMediaIndex } from '../../publication/media/sqlite-media-index.ts';
import { acquireBuildLock, tryBuildLock } from '../../publication/store/locks/build-lock.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import { verifyMedia } from '../build/verify/verify-media.ts';
import type { Finding } from '../manifest/finding.ts';
import { type MediaReport, placeMedia } from '../output/pictures/place-media.ts';
import type { MediaBucket } from './media-bucket.ts';

type Paths = Pick<DataPaths, 'media' | 'mediaIndex' | 'imagesLock' | 'contentFolder'>;

type Options = {
  /** Compares every file. */
  readonly isFull?: boolean;
};

const NOTHING: MediaReport = { placed: 0, removed: 0, skipped: [] };

/** What a cycle of the publisher does; null when another program does it. The bucket gets what it lacks. Throws OUTPUT_UNWRITABLE. */
export const updateMedia = async (
  paths: Paths,
  { bucket, ...options }: Options & { readonly bucket?: MediaBucket | null | undefined },
): Promise<MediaReport | null> => {
  const report = await placeAll(paths, options);
  const lacking = report === null ? [] : await bucket?.addRest(report.placed > 0);
  return report && { ...report, skipped: [...report.skipped, ...(lacking ?? [])] };
};

const placeAll = async (paths: Paths, options: Options): Promise<MediaReport | null> => {
  const wasUsed = existsSync(paths.imagesLock);
  if (!wasUsed && !existsSync(paths.media)) return NOTHING;
  const lock = tryBuildLock(paths.imagesLock);
  if (lock === null) return null;
  return releasing(lock, async () => {
    const skipped = wasUsed ? await tryTakeOver(paths) : [];
    const report = await place(paths, options);
    return { ...report, skipped: [...skipped, ...report.skipped] };
  });
};

/** What was left out, a sentence each. */
export const mediaWarnings = (report: MediaReport | null): string[] =>
  (report?.skipped ?? []).map(({ path, reason }) => `Media folder: ${path} ${reason}.`);

const LOCK_TIMEOUT_MS = 60 * 60_000;

/** Runs `bring`, which copies files into the media folder, and places them. Throws BUILD_BUSY, OUTPUT_UNWRITABLE. */
export const bringMedia = <T>(
  paths: Paths,
  bring: () => Promise<T>,
): Promise<{ readonly brought: T; readonly media: MediaReport }> =>
  fillMedia(paths, async () => ({ brought: await bring(), media: await place(paths, {}) }));

/** The same, but leaves it to the next cycle to place them. */
export const fillMedia = async <T>(paths: Paths, bring: () => Promise<T>): Promise<T> => {
  const wasUsed = existsSync(paths.imagesLock);
  const lock = await acquireBuildLock(paths.imagesLock, LOCK_TIMEOUT_MS);
  return releasing(lock, async () => {
    if (wasUsed) await takeOver(paths);
    return bring();
  });
};

/** What is wrong with the pictures in the output; nothing where none were kept. */
export const verifyPlacedMedia = async (paths: Paths): Promise<Finding[]> => {
  if (!existsSync(paths.media) && !existsSync(paths.mediaIndex)) return [];
  return closing(openMediaIndex(paths.mediaIndex), (index) => verifyMedia({ ...paths, index }));
};

/** Files that stand in the output from the media folder; null where none were kept. */
export const countPlacedMedia = ({
  mediaIndex,
}: Pick<Paths, 'mediaIndex'>): { files: number; bytes: number } | null => {
  if (!existsSync(mediaIndex)) return null;
  return closing(openMediaIndex(mediaIndex), (index) => index.totals());
};

const place = (
  { media, mediaIndex, contentFolder }: Paths,
  options: Options,
): Promise<MediaReport> =>
  closing(openMediaIndex(mediaIndex), (index) =>
    placeMedia({ media, contentFolder, index, ...options }),
  );

/** Where no media folder can be made, the site is published all the same. */
const tryTakeOver = async (paths: Paths): Promise<Skipped[]> => {
  try {
    await takeOver(paths);
    return [];
  } catch (error) {
    const reason = `cannot be made, so the pictures lie only in the output: ${(error as Error).message}`;
    return [{ path: paths.media, reason }];
  }
};

/** The media folder appears whole: a run that broke off is begun again. */
const takeOver = async ({ media, contentFolder }: Paths): Promise<void> => {
  if (existsSync(media)) return;
  const { folders } = findMediaFolders(contentFolder);
  if (folders.length === 0) return;
  const draft = `${media}.new`;
  rmSync(draft, { recursive: true, force: true });
  const pairs = folders.map((name) => ({ from: name, name }));
  await copyMedia({ root: contentFolder, to: draft, folders: pairs });
  renameSync(draft, media);
};
