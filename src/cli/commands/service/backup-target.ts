// Where a backup goes: the file that was named, or one in the folder that was named, under its date when that is asked
// for; and beside it a folder for the pictures.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { codeOf } from '../../../base/error-code.ts';
import { PrepressError } from '../../../base/errors.ts';
import { realPathOf } from '../../../base/files/inside.ts';
import { shellWord } from '../../../base/text/shell-word.ts';
import { SERVED, throwIfInside } from '../throw-if-inside.ts';

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
  /** Stands beside each database that builds use. */
  readonly buildLock: string;
  /** Folders whose files are served. */
  readonly served: readonly string[];
  /** Set: the name has this time. */
  readonly takenAt: number | null;
};

/** Throws DATABASE_UNWRITABLE when there is no such folder or no access to it, and USAGE for one of the publication's own. */
export const findBackupTarget = ({
  to,
  database,
  buildLock,
  served,
  takenAt,
}: Named): BackupTarget => {
  const path = resolve(to);
  const isFolder = isFolderAt(path);
  throwIfArchive(path, isFolder);
  // A dated backup names the folder that collects them: a missing one is not taken for a file name.
  if (takenAt !== null && extname(path) === '' && !existsSync(path)) throw noFolder(path);
  const named = isFolder ? join(path, basename(database)) : path;
  const folder = !isFolder && to.endsWith(sep) ? path : dirname(named);
  if (!existsSync(folder)) throw noFolder(folder);
  throwIfHolds(folder, { database, buildLock });
  // A folder of the output, before the first build, is taken for a file.
  throwIfInside(isFolder ? folder : path, served, { reason: SERVED, what: 'the backup' });
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

const isFolderAt = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES') throw cause;
    const sentence = `No copy can be made at ${path}: this user has no access to ${dirname(path)} (EACCES).`;
    throw new PrepressError('DATABASE_UNWRITABLE', sentence, { cause });
  }
};

const noFolder = (folder: string): PrepressError =>
  new PrepressError('DATABASE_UNWRITABLE', `There is no folder ${folder}.`, {
    hint: `Make it with "mkdir -p ${shellWord(folder)}", or name another.`,
  });

const throwIfHolds = (
  folder: string,
  { database, buildLock }: Pick<Named, 'database' | 'buildLock'>,
): void => {
  const isOwn = realPathOf(folder) === realPathOf(dirname(database));
  if (!isOwn && !existsSync(join(folder, basename(buildLock)))) return;
  const what = isOwn ? 'the database itself' : 'the database of another publication';
  const sentence = `${folder} holds ${what}: name another folder for the backup.`;
  throw new PrepressError('USAGE', sentence);
};

const throwIfArchive = (path: string, isFolder: boolean): void => {
  if (isFolder || !ARCHIVE.test(path)) return;
  const sentence = `A backup is a SQLite file and a folder of pictures, no archive: name a file such as publication.db, got ${basename(path)}.`;
  throw new PrepressError('USAGE', sentence);
};

const ARCHIVE = /\.(?:zip|tar|t?gz|tgz|bz2|xz|zst|7z|rar)$/i;

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
