// Takes uploaded files: judges them, gives them names that nothing else has, and keeps them in the media folder and at
// their addresses.
import { stat } from 'node:fs/promises';
import type { Clock } from '../../../base/clock.ts';
import { invalid, type PrepressError } from '../../../base/errors.ts';
import { ICON_BYTES_MAX, ICON_SIDE_MAX, ICON_SIDE_MIN } from '../../../base/limits.ts';
import { findPictureSides } from '../../../publication/media/picture-sides.ts';
import { plainSlug } from '../../../publication/tables/slug-text.ts';
import { judgeUpload, type UploadKind } from './upload-type.ts';

export type UploadPort = {
  /** Whether the media folder or the output has a file of that path. */
  readonly has: (path: string) => boolean;
  /** Copies a file to its path in both, durable and whole when it resolves; false: another one has that path by now. */
  readonly keep: (from: string, path: string, isReplacing?: boolean) => Promise<boolean>;
};

export type UploadsContext = { readonly clock: Clock; readonly files: UploadPort };

export type Upload = {
  readonly kind: UploadKind;
  /** Where its bytes are now. */
  readonly file: string;
  /** As its sender calls it. */
  readonly name: string;
  readonly purpose?: string | undefined;
};

/** Of names; a number and an ending come after. */
const NAME_UNITS_MAX = 100;

/** The path of the file below `content/`. Throws UNSUPPORTED_MEDIA_TYPE, VALIDATION or OUTPUT_UNWRITABLE. */
export const storeUpload = async (
  { clock, files }: UploadsContext,
  upload: Upload,
): Promise<string> => {
  const ending = await judgeUpload(upload.kind, upload.file, upload.name);
  await checkPurpose(upload, ending);
  const month = new Date(clock.now()).toISOString().slice(0, 7).replace('-', '/');
  return keepAs({ files, upload }, `${upload.kind}/${month}/${plainName(upload.name)}`, ending);
};

type Beside = {
  /** The path of the video below `content/`. */
  readonly video: string;
  /** One that lies there already gives way; else the new one has another name. */
  readonly replaces: boolean;
};

/** The thumbnail of a video lies beside it. */
export const storeThumbnail = async (
  { files }: UploadsContext,
  upload: Omit<Upload, 'kind'>,
  { video, replaces }: Beside,
): Promise<string> => {
  const ending = await judgeUpload('images', upload.file, upload.name);
  const base = `${video.replace(/\.[^./]*$/, '')}_thumb`;
  if (!replaces) return keepAs({ files, upload }, base, ending);
  await files.keep(upload.file, `${base}.${ending}`, true);
  return `${base}.${ending}`;
};

type Keeping = { readonly files: UploadPort; readonly upload: Pick<Upload, 'file'> };

/** Those that are being kept: their files are not there yet. */
const claimed = new Set<string>();

const keepAs = async (
  { files, upload }: Keeping,
  base: string,
  ending: string,
): Promise<string> => {
  let path = `${base}.${ending}`;
  for (let number = 1; !(await tryKeep({ files, upload }, path)); number += 1) {
    path = `${base}-${number}.${ending}`;
  }
  return path;
};

const tryKeep = async ({ files, upload }: Keeping, path: string): Promise<boolean> => {
  if (claimed.has(path) || files.has(path)) return false;
  claimed.add(path);
  try {
    return await files.keep(upload.file, path);
  } finally {
    claimed.delete(path);
  }
};

/** What every host and every file system takes as it is. */
const plainName = (name: string): string => {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const plain = plainSlug(last.replace(/\.[^.]*$/, ''), NAME_UNITS_MAX);
  return plain === '' ? 'file' : plain;
};

const ICON_ENDINGS = ['png', 'ico'];

const checkPurpose = async ({ purpose, file }: Upload, ending: string): Promise<void> => {
  if (purpose === 'icon') {
    const { size } = await stat(file);
    const [width, height] = await measure(file);
    const isIcon =
      ICON_ENDINGS.includes(ending) &&
      size <= ICON_BYTES_MAX &&
      width === height &&
      width >= ICON_SIDE_MIN &&
      width <= ICON_SIDE_MAX;
    if (!isIcon) {
      throw wrongShape(
        `An icon is a square PNG or ICO picture of ${ICON_SIDE_MIN} to ${ICON_SIDE_MAX} pixels a side and at most 100 kB.`,
      );
    }
  } else if (purpose === 'profile_image') {
    const [width, height] = await measure(file);
    if (width !== height) throw wrongShape('A profile image is square.');
  }
};

const wrongShape = (sentence: string): PrepressError => invalid('file', sentence);

const measure = async (file: string): Promise<readonly [number, number]> => {
  const sides = await findPictureSides(file);
  if (sides === null) throw wrongShape('The size of the picture cannot be read.');
  return [sides.width, sides.height];
};
