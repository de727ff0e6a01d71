// Tells cheaply whether a database file may have been written since: a text made of the times and sizes
// of the file and of its write-ahead log. Two commits within one tick of the disk's clock may share it,
// so whoever caches by it also lets the cache grow old.
import { statSync } from 'node:fs';

export const commitStamp = (path: string): string =>
  [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? '-' : `${stats.mtimeMs}:${stats.size}:${stats.ino}`))
    .join(' ');
