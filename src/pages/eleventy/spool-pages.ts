// Pages that take time to make, in one scratch file: they are made before others wait for the lock of the pages, and a first
// publish of many posts holds one of them in memory at a time.
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { asDiskError } from '../../base/files/disk-error.ts';
import { makeScratchFolder, removeScratchFolder } from '../../base/files/scratch-folder.ts';
import { writeAll } from '../../base/files/write-all.ts';
import type { Page } from '../../publish/output/pages/page.ts';

/** Each page is made once; those that `work` gets are read from the file. Throws OUTPUT_UNWRITABLE for that file. */
export const withSpooled = async <T>(
  pages: readonly Page[],
  work: (spooled: readonly Page[]) => Promise<T>,
): Promise<T> => {
  if (pages.length === 0) return work([]);
  const folder = onDisk(() => makeScratchFolder('pages'));
  try {
    const spool = onDisk(() => openSync(join(folder, 'pages'), 'wx+'));
    try {
      return await work(spoolAll(pages, spool));
    } finally {
      closeSync(spool);
    }
  } finally {
    removeScratchFolder(folder);
  }
};

/** What the temporary folder refuses is no fault of the pages. */
const onDisk = <T>(work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    throw asDiskError(cause, {
      code: 'OUTPUT_UNWRITABLE',
      begins: 'Pages cannot be kept in the temporary folder: ',
      place: 'a file',
    });
  }
};

const spoolAll = (pages: readonly Page[], spool: number): Page[] => {
  let end = 0;
  return pages.map(({ path, read }) => {
    const bytes = read();
    const { length } = bytes;
    const from = end;
    onDisk(() => writeAll(spool, bytes, from));
    end += length;
    return {
      path,
      read: () => {
        const again = Buffer.alloc(length);
        readSync(spool, again, 0, length, from);
        return again;
      },
    };
  });
};
