// What replaces the sample publication takes its drawings out of the media folder, too: those that nobody altered, and that
// no row names any more.
import { existsSync } from 'node:fs';
import { PrepressError } from '../../base/errors.ts';
import { removeSamplePictures } from '../../publication/import/sample/sample-pictures.ts';
import { findSetting, SAMPLE_SETTING } from '../../publication/store/content/settings.ts';
import { fillMedia } from '../../publish/cycle/media.ts';
import { findNamedImages } from './fetch-images.ts';
import { warn } from './report.ts';
import type { Workspace } from './workspace.ts';

type Parts = Pick<Workspace, 'config' | 'store' | 'paths' | 'bucket'>;

/** `work` removes the sample's rows, if they are there, with what it writes. */
export const replacingSample = async <T>(parts: Parts, work: () => Promise<T>): Promise<T> => {
  const wasSample = (await findSetting(parts.store, SAMPLE_SETTING)) !== null;
  const result = await work();
  if (!wasSample) return result;
  await removePictures(parts);
  // What an import brought along waited for that: see import-images.ts.
  const left = (await parts.bucket?.addRest(true)) ?? [];
  for (const { path, reason } of left) warn(`Media folder: ${path} ${reason}.`);
  return result;
};

/** The rows are written by now: drawings that stay are no reason to fail. */
const removePictures = async (parts: Parts): Promise<void> => {
  const { media } = parts.paths;
  if (!existsSync(media)) return;
  const named = await findNamedImages(parts, { from: media });
  if (named.left() > 0) return;
  try {
    await fillMedia(parts.paths, async () => removeSamplePictures(media, named.paths));
  } catch (error) {
    if (!(error instanceof PrepressError)) throw error;
    warn(`The drawings of the sample stay: ${error.message}`);
  }
};
