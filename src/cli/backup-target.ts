// Where a backup goes: the file that was named, or one in the folder that was named, under its date when that is asked
// for; and beside it a folder for the pictures.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { PrepressError } from '../base/errors.ts';

export type BackupTarget = {
  readonly file: string;
  readonly media: string;
  /** The media folder of the backup before, or null. */
  readonly earlierMedia: string | null;
};

type Named = {
  /** A file or a folder. */
  readonly to: string;
  readonly database: string;
  /** Set: the name has this time. */
  readonly takenAt: number | null;
};

/** Throws OUTPUT_UNWRITABLE when there is no such folder. */
export const findBackupTarget = ({ to, database, takenAt }: Named): BackupTarget => {
  const path = resolve(to);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const named = isFolder ? join(path, basename(database)) : path;
  const folder = dirname(named);
  if (!existsSync(folder)) {
    throw new PrepressError('OUTPUT_UNWRITABLE', `There is no folder ${folder}.`);
  }
  const end = extname(named);
  const stem = basename(named, end);
  const dated = takenAt === null ? stem : `${stem}-${dateOf(takenAt)}`;
  const media = join(folder, `${dated}${MEDIA_END}`);
  return {
    file: join(folder, `${dated}${end}`),
    media,
    earlierMedia: takenAt === null ? media : findNewest(folder, stem),
  };
};

const MEDIA_END = '-media';

/** In the order of time, and of names. */
const dateOf = (ms: number): string => new Date(ms).toISOString().replaceAll(':', '-');

const DATE = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

const findNewest = (folder: string, stem: string): string | null => {
  const newest = readdirSync(folder)
    .filter((name) => name.startsWith(stem) && name.endsWith(MEDIA_END))
    .filter((name) => DATE.test(name.slice(stem.length, -MEDIA_END.length)))
    .sort()
    .at(-1);
  return newest === undefined ? null : join(folder, newest);
};
