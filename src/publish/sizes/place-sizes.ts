// Brings the addresses of sizes in the output up to date for some pictures: each has the size if it is made, else the original
// under a further name. Files of the media folder, and of others, stay. The caller holds the build lock.
import { existsSync, rmSync, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { OUTPUT_UNWRITABLE, withDiskErrors } from '../../base/files/disk-error.ts';
import { type Durability, realDurability } from '../../base/files/durability.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { foldersLeftOf, OwnFolders } from '../../base/files/own-folders.ts';
import { removeEmptyAbove } from '../../base/files/remove-empty.ts';
import { findStat } from '../../base/files/stat-key.ts';
import { sizedFile } from '../../content/paths/files.ts';
import { openCopiedFiles } from '../../publication/media/copied-files.ts';
import { isSameFile } from '../../publication/media/media-folder.ts';
import type { SizesIndex } from './sizes-index.ts';
import { isResized, type SizeSettings, wantedSizes } from './wanted-sizes.ts';

export type SizesPlace = {
  readonly index: SizesIndex;
  readonly settings: SizeSettings;
  /** The content folder of the output, without links. */
  readonly root: string;
  readonly media: string;
  /** The folder of what was made. */
  readonly folder: string;
  readonly durability?: Durability;
};

export type PlacedSizes = { readonly placed: number; readonly removed: number };

const NOTHING: PlacedSizes = { placed: 0, removed: 0 };
const PATHS_PER_TICK = 50;

/** Throws OUTPUT_UNWRITABLE. */
export const placeSizes = async (
  place: SizesPlace,
  paths: Iterable<string>,
): Promise<PlacedSizes> => {
  const all = [...paths];
  if (all.length === 0) return NOTHING;
  const said = { ...OUTPUT_UNWRITABLE, place: 'a picture in a size' };
  return withDiskErrors(said, () => placeAll(place, all));
};

type Standing = { readonly address: string; readonly path: string; readonly stats: Stats };

const placeAll = async (place: SizesPlace, paths: readonly string[]): Promise<PlacedSizes> => {
  const { index, root, durability = realDurability } = place;
  const sizesRoot = join(root, 'images/size');
  makeFolder(join(root, 'images'));
  const files = await openCopiedFiles(sizesRoot, { durability });
  const standing: Standing[] = [];
  const gone: string[] = [];
  let placed = 0;
  try {
    for (const [at, path] of paths.entries()) {
      if (at % PATHS_PER_TICK === PATHS_PER_TICK - 1) await tick();
      const own = index.placedOf(path);
      const before = new Set(own.keys());
      for (const { address, from, stats, isThere } of planPicture(place, path)) {
        before.delete(address);
        if (isThere && own.has(address)) continue;
        standing.push({ address, path, stats });
        if (isThere) continue;
        placed += 1;
        const alias = from === join(root, path) ? from : undefined;
        await files.add(from, join(root, address), { stats, alias });
      }
      for (const address of before) if (remove(place, path, address)) gone.push(address);
    }
    await files.finish();
  } finally {
    await files.close();
  }
  if (gone.length > 0) await durability.syncPaths(root, foldersLeftOf(root, gone));
  index.inOne(() => {
    for (const { address, path, stats } of standing) index.putPlaced(address, path, stats);
  });
  return { placed, removed: gone.length };
};

type Planned = {
  /** Below the content folder. */
  readonly address: string;
  readonly from: string;
  readonly stats: Stats;
  /** The address has it already. */
  readonly isThere: boolean;
};

/** Notes whether the picture waits for sizes to be made. */
const planPicture = (place: SizesPlace, path: string): Planned[] => {
  const { index, settings, root, media } = place;
  const original = findStat(join(root, path));
  if (original?.isFile() !== true) {
    index.unwait(path);
    return [];
  }
  const own = index.placedOf(path);
  const made = madeOf(index, path, original);
  const planned: Planned[] = [];
  let isWaiting = false;
  for (const size of wantedSizes(index.usesOf(path), settings)) {
    const address = sizedFile(path, size);
    if (existsSync(join(media, address))) continue;
    const found = findMade(place, made.get(size));
    isWaiting ||= found === undefined && isResized(path);
    const source = found ?? { from: join(root, path), stats: original };
    const target = findStat(join(root, address));
    const isThere = isFileOf(target, source.stats);
    // A run that was killed placed the original and could not note it.
    const isOurs = own.has(address) || isFileOf(target, original);
    if (isThere || isReplaceable(target, isOurs)) planned.push({ address, ...source, isThere });
  }
  if (isWaiting) index.wait(path);
  else index.unwait(path);
  return planned;
};

export const isFileOf = (
  found: Stats | undefined,
  stats: Pick<Stats, 'size' | 'mtimeMs'>,
): boolean => found?.isFile() === true && isSameFile(found, stats);

const isReplaceable = (found: Stats | undefined, isOurs: boolean): boolean =>
  found === undefined || (found.isFile() && isOurs);

/** What was made of the picture as it is. */
export const madeOf = (
  index: SizesIndex,
  path: string,
  original: Stats,
): ReadonlyMap<string, string> => {
  const known = index.original(path);
  const isKnown = known !== undefined && isSameFile(original, known);
  return isKnown ? index.made(known.hash) : new Map();
};

/** Null: the original answers. Undefined: it is to be made. */
const findMade = (
  { folder }: SizesPlace,
  file: string | undefined,
): Pick<Planned, 'from' | 'stats'> | null | undefined => {
  if (file === undefined || file === '') return file === '' ? null : undefined;
  const from = join(folder, file);
  const stats = findStat(from);
  return stats === undefined ? undefined : { from, stats };
};

/** True when it was removed; one that somebody replaced is not ours any more. */
const remove = ({ index, root }: SizesPlace, path: string, address: string): boolean => {
  const known = index.placedOf(path).get(address);
  const file = join(root, address);
  const found = new OwnFolders(root).has(dirname(file)) ? findStat(file) : undefined;
  const isOurs = found?.isFile() === true && known !== undefined && isSameFile(found, known);
  if (isOurs) {
    rmSync(file, { force: true });
    removeEmptyAbove(join(root, 'images'), relative(join(root, 'images'), file));
  }
  index.removePlaced(address);
  return isOurs;
};
