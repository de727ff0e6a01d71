// Servers of files make an ETag of a file's size and the second of its time, and some compare dates alone. Two edits
// of equal length within a second would pass for one: so a new file is of a later second than the one that it replaces.
import { utimesSync } from 'node:fs';
import { findStat } from '../../../base/files/stat-key.ts';

/** True when the time of `temporary`, which is to stand at `path`, was moved on. */
export const makeMtimeDistinct = (temporary: string, path: string): boolean => {
  const standing = findStat(path);
  if (standing?.isFile() !== true) return false;
  const fresh = findStat(temporary);
  const second = Math.floor(standing.mtimeMs / 1_000);
  if (fresh === undefined || Math.floor(fresh.mtimeMs / 1_000) > second) return false;
  utimesSync(temporary, second + 1, second + 1);
  return true;
};
