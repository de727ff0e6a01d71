// Ghost's own SQLite file as a source: read-only, from a copy as of one commit, which is kept for the next one.
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { readFileHeader } from '../../../base/sqlite/file-header.ts';
import { openState } from '../ghost-database/state.ts';
import type { Source } from '../source.ts';
import { createSourceCopy } from './database-copy.ts';
import { asReadError, newestTimeMs, statKeyOfFiles } from './fetch-copy.ts';
import { openSqliteReader } from './reader.ts';

type SqliteOptions = {
  /** How often a file that is locked, or changes while it is copied, is tried: 100 times take ten seconds. */
  readonly triesMax?: number;
};

export const openGhostSqlite = (path: string, { triesMax = 100 }: SqliteOptions = {}): Source => {
  // Reading the file's header gives up the lock under which it may be copied meanwhile.
  const alone = limitConcurrency(1);
  const copy = createSourceCopy(path, triesMax);
  return {
    name: path,
    files: [path, `${path}-wal`],
    notice: NOTICE,
    fingerprint: () => alone(async () => fingerprintOf(path)),
    open: () => alone(async () => openState(path, await openSqliteReader(path, copy))),
    close: () => alone(copy.close),
  };
};

const NOTICE =
  'Ghost plans to drop SQLite in version 7: follow the mysql:// address of its database once it has moved.';

/** Files that were written so recently may be written again without another time. */
const YOUNG_MS = 2_000;

/** Outside WAL mode each commit has a number; in it, files tell, once they were left alone for a while. */
const fingerprintOf = (path: string): string | null => {
  try {
    const { isWal, changeCounter } = readFileHeader(path);
    const isYoung = isWal && Date.now() - newestTimeMs(path) < YOUNG_MS;
    return isYoung ? null : `${changeCounter} ${statKeyOfFiles(path)}`;
  } catch (error) {
    throw asReadError(path, error);
  }
};
