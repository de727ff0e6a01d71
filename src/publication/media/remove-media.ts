// Takes files out of the media folder that still have the bytes with which they were put there.

import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asDiskError } from '../../base/files/disk-error.ts';
import { removeEmptyAbove } from '../../base/files/remove-empty.ts';
import { findStat } from '../../base/files/stat-key.ts';

/**
 * `files`: path in the media folder -> bytes. A file with other bytes stays; folders that are left empty go, but not the media
 * folder itself. Returns how many files went. Nobody else copies into the folder meanwhile. Throws OUTPUT_UNWRITABLE.
 */
export const removeMedia = (mediaFolder: string, files: ReadonlyMap<string, Buffer>): number => {
  try {
    let removed = 0;
    for (const [path, bytes] of files) {
      const file = join(mediaFolder, path);
      if (findStat(file)?.isFile() !== true || !readFileSync(file).equals(bytes)) continue;
      unlinkSync(file);
      removed += 1;
      removeEmptyAbove(mediaFolder, path);
    }
    return removed;
  } catch (cause) {
    throw asDiskError(cause, { code: 'OUTPUT_UNWRITABLE', place: 'the media folder' });
  }
};
