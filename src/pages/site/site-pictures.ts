// Pictures of pages for readers: the sizes of the site's own, for `srcset`, and the sides of the large one at the top of a page,
// which keep its place until it is there. Sides are read of pages that are rendered; of others a digest tells whether they changed.
import { join } from 'node:path';
import { findStat } from '../../base/files/stat-key.ts';
import { originalOf, sizedFile } from '../../content/paths/files.ts';
import {
  findPicturePath,
  readPictureSides,
  type Sides,
} from '../../publication/media/picture-sides.ts';
import { isResized } from '../../publish/sizes/wanted-sizes.ts';

type Image = string | null;

export type SitePictures = {
  /** Null for pictures of other sites, for drawings, and where no sizes are made. `width`: of the original, if it is known. */
  readonly srcset: (image: Image, width?: number) => string | null;
  /** Null where they are not known. */
  readonly sides: (image: Image) => Sides | null;
  /** Changes with the picture's file. */
  readonly digest: (image: Image) => string;
};

export type PicturesPlace = {
  /** The content folder in the output. */
  readonly folder: string;
  /** In which pictures are made. */
  readonly widths: readonly number[];
};

/** `root`: the path of the site, without its last slash. */
export const createSitePictures = (
  { folder, widths }: PicturesPlace,
  root: string,
): SitePictures => {
  const content = `${root}/content/`;
  const find = (image: Image): string | null => {
    const path = image?.startsWith(content) ? findPicturePath(image.slice(content.length)) : null;
    return path === null ? null : join(folder, path);
  };
  const statOf = (image: Image) => {
    const file = find(image);
    const stats = file === null ? undefined : findStat(file);
    return file !== null && stats?.isFile() ? { file, stats } : null;
  };
  return {
    srcset: (image, width = Number.POSITIVE_INFINITY) => {
      const file = find(image);
      const smaller = widths.filter((one) => one < width);
      if (image === null || file === null || !isResized(file) || smaller.length === 0) return null;
      const path = originalOf(image.slice(content.length));
      const sizes = smaller.map((one) => `${content}${sizedFile(path, `w${one}`)} ${one}w`);
      return [...sizes, ...(Number.isFinite(width) ? [`${image} ${width}w`] : [])].join(', ');
    },
    sides: (image) => {
      const found = statOf(image);
      return found === null ? null : readPictureSides(found.file);
    },
    digest: (image) => {
      const stats = statOf(image)?.stats;
      return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs}`;
    },
  };
};
