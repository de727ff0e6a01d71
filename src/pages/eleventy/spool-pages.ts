// Pages that take time to make, in one scratch file: they are made before others wait for the lock of the pages, and a first
// publish of many posts holds one of them in memory at a time.
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratchFolder, removeScratchFolder } from '../../base/files/scratch-folder.ts';
import { writeAll } from '../../base/files/write-all.ts';
import type { Page } from '../../publish/output/pages/page.ts';

/** Each page is made once; those that `work` gets are read from the file. */
export const withSpooled = async <T>(
  pages: readonly Page[],
  work: (spooled: readonly Page[]) => Promise<T>,
): Promise<T> => {
  if (pages.length === 0) return work([]);
  const folder = makeScratchFolder('pages');
  const spool = openSync(join(folder, 'pages'), 'wx+');
  try {
    return await work(spoolAll(pages, spool));
  } finally {
    closeSync(spool);
    removeScratchFolder(folder);
  }
};

const spoolAll = (pages: readonly Page[], spool: number): Page[] => {
  let end = 0;
  return pages.map(({ path, read }) => {
    const bytes = read();
    const { length } = bytes;
    const from = end;
    writeAll(spool, bytes, from);
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
