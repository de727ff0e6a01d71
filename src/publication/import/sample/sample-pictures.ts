// The drawings that the sample publication shows, as files of the media folder.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import equinox from '../../../../data/sample-pictures/equinox.svg';
import ferry from '../../../../data/sample-pictures/ferry.svg';
import lighthouse from '../../../../data/sample-pictures/lighthouse.svg';
import saltPans from '../../../../data/sample-pictures/salt-pans.svg';
import twoClocks from '../../../../data/sample-pictures/two-clocks.svg';
import { asDiskError } from '../../../base/files/disk-error.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../base/files/scratch-folder.ts';
import { copyMedia } from '../../media/copy-media.ts';
import { removeMedia } from '../../media/remove-media.ts';

const FOLDER = 'images/sample';

const PICTURES: Readonly<Record<string, string>> = {
  'equinox.svg': equinox,
  'ferry.svg': ferry,
  'lighthouse.svg': lighthouse,
  'salt-pans.svg': saltPans,
  'two-clocks.svg': twoClocks,
};

/** The caller sees to it that nobody else copies into the media folder. Throws OUTPUT_UNWRITABLE. */
export const copySamplePictures = async (mediaFolder: string): Promise<void> => {
  const root = makeScratchFolder('pictures');
  try {
    const folder = join(root, FOLDER);
    makeFolder(folder);
    for (const [name, text] of Object.entries(PICTURES)) writeFileSync(join(folder, name), text);
    await copyMedia({ root, to: mediaFolder, folders: [{ from: 'images', name: 'images' }] });
  } finally {
    removeScratchFolder(root);
  }
};

const README =
  'Prepress places the files of the folders images, media and files in the output. This text is not placed.\n';

/**
 * Those as they were copied, but for the paths in `kept`. The same holds for the caller. What is left is no empty folder: that
 * may be a disk that is not mounted, and the output keeps what was placed from one. Throws OUTPUT_UNWRITABLE.
 */
export const removeSamplePictures = (mediaFolder: string, kept: ReadonlySet<string>): number => {
  const files = Object.entries(PICTURES).map(
    ([name, text]) => [`${FOLDER}/${name}`, Buffer.from(text)] as const,
  );
  try {
    writeFileSync(join(mediaFolder, 'README.txt'), README);
  } catch (cause) {
    throw asDiskError(cause, { code: 'OUTPUT_UNWRITABLE', place: 'the media folder' });
  }
  return removeMedia(mediaFolder, new Map(files.filter(([path]) => !kept.has(path))));
};
