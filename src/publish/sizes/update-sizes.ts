// What a cycle does about sizes before its build is placed: every size that a document may name gets a file, so that no address is
// empty, and what is to be made is noted. Nothing is made here.
import { existsSync, realpathSync } from 'node:fs';
import { closing } from '../../base/closing.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { toText } from '../../base/text/stored-text.ts';
import { trimEndOf } from '../../base/text/trim-of.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import { siteUrlOf } from '../build/output-settings.ts';
import type { Plan } from '../build/plan.ts';
import type { MediaReport } from '../output/pictures/place-media.ts';
import { placeSizes } from './place-sizes.ts';
import { refreshUses } from './refresh-uses.ts';
import { removeUnused } from './remove-unused.ts';
import { openSizesIndex } from './sizes-index.ts';
import { isResized } from './wanted-sizes.ts';

export type SizesPublication = { readonly config: Config; readonly paths: DataPaths };

type Cycle = {
  readonly snapshot: Snapshot;
  /** Absent: all records are looked at. */
  readonly plan: Plan | undefined;
  /** What could not be made is tried again. */
  readonly isFull?: boolean;
  /** What the cycle did to pictures; null: another program places them. */
  readonly media: Pick<MediaReport, 'placed' | 'removed'> | null;
};

/** The caller holds the build lock. Throws OUTPUT_UNWRITABLE. */
export const updateSizes = async (
  publication: SizesPublication,
  { snapshot, plan, isFull = false, media }: Cycle,
): Promise<void> => {
  const { config, paths } = publication;
  const isOff = config['images.sizes'].length === 0;
  if (!existsSync(paths.sizes) && (isOff || !existsSync(paths.media))) return;
  const sites = [siteUrlOf(config, snapshot.settings().get('url')), config.siteUrl].flatMap(
    (url) => (url === undefined ? [] : [trimEndOf(toText(url), '/')]),
  );
  const settings = [config['images.sizes'], config['images.formats'], sites];
  const asked = JSON.stringify(settings);
  await withSizes(publication, async (place) => {
    const { index } = place;
    const isAll = isOff || plan?.kind !== 'incremental' || index.asked() !== asked;
    if (isFull) index.forgetFaults();
    const refresh = { index, snapshot, sites, isOff };
    const touched = await refreshUses(refresh, isAll ? null : plan);
    const isMediaChanged = media !== null && media.placed + media.removed > 0;
    const { removed } = await placeSizes(place, isMediaChanged ? index.paths() : touched);
    if (isAll) index.setAsked(asked);
    if (isAll || removed > 0) await removeUnused(place, { isSwept: isAll });
  });
};

/** Sizes of a picture that was uploaded are made before a record shows it; true when there are any to make. */
export const noteUpload = (publication: SizesPublication, path: string): boolean => {
  const isAsked = publication.config['images.sizes'].length > 0 && path.startsWith('images/');
  if (!isAsked || !isResized(path)) return false;
  closing(openSizesIndex(publication.paths.sizes), (index) => {
    index.setUses(`upload:${path}`, [{ path, size: '' }]);
    index.wait(path);
  });
  return true;
};

type Place = Parameters<typeof placeSizes>[0];

export const withSizes = async <T>(
  { config, paths }: SizesPublication,
  work: (place: Place) => Promise<T>,
): Promise<T> => {
  makeFolder(paths.contentFolder);
  const root = realpathSync(paths.contentFolder);
  return closing(openSizesIndex(paths.sizes), (index) => {
    index.openAt(root);
    return work({ index, settings: config, root, media: paths.media, folder: paths.sizes });
  });
};
