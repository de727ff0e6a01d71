// Brings one file into the media folder, and at once to its address in the output, without the lock that bulk runs
// hold: such a run finds both as it would place them.
import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import { type CopiedFilesOptions, openCopiedFiles } from './copied-files.ts';
import { MEDIA_FOLDER_MODE, makeMediaFolder } from './media-folder.ts';

type Places = {
  readonly media: string;
  readonly contentFolder: string;
};

type NewFile = {
  /** A regular file, which the caller removes. */
  readonly from: string;
  /** Its path in both folders, such as images/2026/01/a.png; a file that has it is replaced. */
  readonly path: string;
};

/** Durable and whole in both places when it resolves. Throws OUTPUT_UNWRITABLE. */
export const storeFile = async (places: Places, { from, path }: NewFile): Promise<void> => {
  const { media, contentFolder } = places;
  makeMediaFolder(media);
  await place(media, { from, path }, { folderMode: MEDIA_FOLDER_MODE });
  makeFolder(contentFolder);
  await place(contentFolder, { from: join(media, path), path }, {});
};

const place = async (
  root: string,
  { from, path }: NewFile,
  options: CopiedFilesOptions,
): Promise<void> => {
  const [folder = ''] = path.split('/');
  const staging = `.prepress-import-${randomBytes(6).toString('hex')}`;
  const files = await openCopiedFiles(join(root, folder), { ...options, staging });
  try {
    await files.add(from, join(root, path), { stats: await lstat(from) });
    await files.finish();
  } finally {
    await files.close();
  }
};
