// Which file stands at a path. A database whose file was replaced by a rename still reads from the old
// one, and nothing in SQLite tells: only the file's identity does.
import { type BigIntStats, statSync } from 'node:fs';

/** Null when no file stands there, or none can be reached. */
export const findIdentity = (path: string): string | null => {
  const stat = findStat(path);
  return stat === null ? null : `${stat.dev}-${stat.ino}`;
};

/** When the file was changed, in milliseconds; 0 when there is none. */
export const findChangeTime = (path: string): number => Number(findStat(path)?.mtimeMs ?? 0);

const findStat = (path: string): BigIntStats | null => {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
};
