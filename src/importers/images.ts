// Brings a site's images, media and files into the media folder of the publication, from where builds place them:
// to images/, media/ and files/ there, and nowhere else. Symbolic links below the named folder are not followed.
import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { isInside } from '../base/inside.ts';
import { type CopyMediaInput, type CopyReport, copyMedia } from '../emit/copy-media.ts';
import { findMediaFolders, type Skipped } from '../emit/media-folder.ts';
import { IMAGE_FOLDERS } from '../paths/files.ts';

export type { CopyReport } from '../emit/copy-media.ts';

/**
 * Copies from a Ghost content folder (one that holds images, media or files), or from one such folder
 * itself; any other folder is taken for images. Nobody else copies into `toDir` meanwhile.
 * Throws IMPORT_UNREADABLE, OUTPUT_UNWRITABLE, or USAGE when the one folder lies in the other.
 */
export const copyImages = async (
  fromDir: string,
  toDir: string,
  onFile?: CopyMediaInput['onFile'],
): Promise<CopyReport> => {
  const root = await findImages(fromDir);
  const to = resolve(toDir);
  if (isInside(to, root) || isInside(root, to)) {
    throw new PrepressError('USAGE', `The folder ${root} cannot be copied into itself.`);
  }
  const { folders, skipped } = findFolders(root);
  const report = await copyMedia({ root, to, folders, ...(onFile && { onFile }) });
  return { ...report, skipped: [...skipped, ...report.skipped] };
};

/** The real path of a folder to copy from; throws IMPORT_UNREADABLE when there is none. */
export const findImages = async (folder: string): Promise<string> => {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    throw new PrepressError('IMPORT_UNREADABLE', `The folder ${folder} cannot be read.`, { cause });
  }
  throw new PrepressError('IMPORT_UNREADABLE', `${folder} is not a folder.`);
};

type Found = {
  readonly folders: readonly { readonly from: string; readonly name: string }[];
  readonly skipped: readonly Skipped[];
};

/** A folder that holds but links in their places is a content folder, too. */
const findFolders = (root: string): Found => {
  const { folders, skipped } = findMediaFolders(root);
  if (folders.length + skipped.length > 0) {
    return { folders: folders.map((name) => ({ from: name, name })), skipped };
  }
  const own = IMAGE_FOLDERS.find((name) => name === basename(root)) ?? 'images';
  return { folders: [{ from: '', name: own }], skipped: [] };
};
