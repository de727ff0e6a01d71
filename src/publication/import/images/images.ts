// Brings a site's images, media and files into the media folder of the publication, from where builds place them:
// to images/, media/ and files/ there, and nowhere else. Symbolic links below the named folder are not followed.
import { realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { isInside } from '../../../base/files/inside.ts';
import { readError } from '../../../base/files/read-fault.ts';
import { IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import { type CopyMediaInput, type CopyReport, copyMedia } from '../../media/copy-media.ts';
import { findMediaFolders, type Skipped } from '../../media/media-folder.ts';

export type { CopyReport } from '../../media/copy-media.ts';

/**
 * Copies from a Ghost content folder (one that holds images, media or files), or from one such folder
 * itself. Nobody else copies into `toDir` meanwhile. Throws IMPORT_UNREADABLE, OUTPUT_UNWRITABLE, or USAGE for any other
 * folder, whose files may not be meant for readers, and when the one folder lies in the other.
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
  const { folders, skipped } = findFolders(root, basename(resolve(fromDir)));
  const report = await copyMedia({ root, to, folders, ...(onFile && { onFile }) });
  return { ...report, skipped: [...skipped, ...report.skipped] };
};

/** The real path of a folder to copy from; throws IMPORT_UNREADABLE when there is none, and USAGE for another folder. */
export const findImages = async (folder: string): Promise<string> => {
  const root = await realFolderOf(folder);
  findFolders(root, basename(resolve(folder)));
  return root;
};

const realFolderOf = async (folder: string): Promise<string> => {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) {
      // Throws where this user may not enter it.
      await stat(`${root}/.`);
      return root;
    }
  } catch (cause) {
    const hint = 'Check the path. The address of a site begins with https://.';
    throw readError(folder, cause, { hint });
  }
  throw new PrepressError('IMPORT_UNREADABLE', `${folder} is not a folder.`);
};

type Found = {
  readonly folders: readonly { readonly from: string; readonly name: string }[];
  readonly skipped: readonly Skipped[];
};

/** A folder that holds but links in their places is a content folder, too. `named`: its name, which may be that of a link. */
const findFolders = (root: string, named: string): Found => {
  const { folders, skipped } = findMediaFolders(root);
  if (folders.length + skipped.length > 0) {
    return { folders: folders.map((name) => ({ from: name, name })), skipped };
  }
  const own = IMAGE_FOLDERS.find((name) => name === named || name === basename(root));
  if (own === undefined) throw noContent(root);
  return { folders: [{ from: '', name: own }], skipped: [] };
};

const noContent = (root: string): PrepressError => {
  const content = join(root, 'content');
  const { folders } = findMediaFolders(content);
  const advice = folders.length > 0 ? `: ${content}` : '';
  return new PrepressError(
    'USAGE',
    `${root} holds none of the folders images, media and files. Name the content folder of Ghost${advice}.`,
  );
};
