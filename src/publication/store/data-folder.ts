// Keeps the folder of the database to its owner: a new one is made for the owner only, and what an earlier
// Prepress made there loses the access of all other users. A folder that holds other things, or from which
// files are served, keeps its rights: then only our files in it are closed.

import { chmodSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../base/files/inside.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { PRIVATE_FOLDER_MODE } from '../../base/files/private-files.ts';
import { namesIn } from '../../base/files/stale-folders.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import type { DataPaths } from '../../settings/data-paths.ts';

type Paths = Pick<DataPaths, 'database' | 'output' | 'media'>;

/** Makes the folder of a new database, or closes the one that waits for it. */
export const makeDataFolder = (paths: Paths): void => {
  const folder = dirname(paths.database);
  makeFolder(folder, { isPrivate: !isShared(folder, paths) });
  if (isOurs(folder, paths)) closeFolder(folder);
};

/** Takes the world's access away. Returns what the user should know, a sentence each. Never throws. */
export const closeDataFolder = (paths: Paths): string[] => {
  const folder = realPathOf(dirname(paths.database));
  const closed = listOwn(folder, paths).flatMap(close);
  return [...tellGroup(folder, closed), ...tellFailed(closed)];
};

const WORLD = 0o007;
const GROUP = 0o070;
/** Everybody may make files in such a folder, as in /tmp. */
const STICKY = 0o1000;

type Closed = { readonly path: string; readonly mode: number; readonly failure: string | null };

/** Nothing when the path was closed before, or is gone. */
const close = (path: string): Closed[] => {
  try {
    const stat = lstatSync(path);
    const mode = stat.mode & 0o7777;
    if ((mode & WORLD) === 0 || !(stat.isFile() || stat.isDirectory())) return [];
    try {
      chmodSync(path, mode & ~WORLD);
      return [{ path, mode, failure: null }];
    } catch (error) {
      return [{ path, mode, failure: (error as NodeJS.ErrnoException).code ?? 'unknown' }];
    }
  } catch {
    return [];
  }
};

const closeFolder = (folder: string): void => {
  try {
    chmodSync(folder, PRIVATE_FOLDER_MODE);
  } catch {
    // Its files are closed all the same.
  }
};

const tellGroup = (folder: string, closed: readonly Closed[]): string[] => {
  const open = closed.filter(({ mode, failure }) => failure === null && (mode & GROUP) !== 0);
  if (open.length === 0) return [];
  const few = open.length === 1 ? '1 file or folder' : `${open.length} files and folders`;
  return [
    `Other users can no longer read ${few} of ${folder}; ${open.length === 1 ? 'its' : 'their'} group still can. To keep the group out as well, run "chmod -R g= ${shellWord(folder)}".`,
  ];
};

const tellFailed = (closed: readonly Closed[]): string[] => {
  const [first, ...more] = closed.filter(({ failure }) => failure !== null);
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return [
    `Every user has access to ${first.path}${others}, and the rights cannot be changed (${first.failure}): run "chmod -R o= ${shellWord(dirname(first.path))}" as the owner.`,
  ];
};

/** Folders of ours whose files are closed with them; the documents move a database to `old` or `trial`. */
const PRIVATE_FOLDERS = ['mail', 'deploys', 'uploads', 'old', 'trial'];
/** What else stands in a folder that is ours alone: the files of hosts are read by their hosts. */
const OTHERS = [
  'hosts',
  'pages-staging',
  'sample-publication.json',
  'sample-pictures',
  '.gitignore',
  '.DS_Store',
];
const OWN_FILE =
  /^(?:(?:build|media|[a-z]+\.lock)\.db(?:-(?:wal|shm|journal))?|secret\.key.*|admin-key.*|(?:changes|openapi-files|server-settings|follow|pages|pages-(?:seal|site)|host-(?:files|copies|owners)|stored-names)\.json(?:\.(?:\d+\.)?new)?|hosts-reload-due)$/;
const LOG_ENDS = ['', '-wal', '-shm', '-journal'];

/** The folder itself comes last. */
const listOwn = (folder: string, paths: Paths): string[] => {
  const names = namesIn(folder);
  const database = basename(paths.database);
  const own = names.filter((name) => isOwnFile(name, database));
  const inner = PRIVATE_FOLDERS.filter((name) => names.includes(name)).flatMap((name) => [
    ...namesIn(join(folder, name)).map((file) => join(name, file)),
    name,
  ]);
  const hasDatabase = names.includes(database);
  return [
    ...[...own, ...inner].map((name) => join(folder, name)),
    ...(hasDatabase && isOurs(folder, paths) ? [folder] : []),
  ];
};

const isOwnFile = (name: string, database: string): boolean =>
  OWN_FILE.test(name) ||
  LOG_ENDS.some((end) => name === `${database}${end}` || name === `${database}.new${end}`);

/** True when nothing stands in the folder that somebody else may have put there. */
const isOurs = (folder: string, paths: Paths): boolean => {
  const database = basename(paths.database);
  const known = new Set([...PRIVATE_FOLDERS, ...OTHERS]);
  return (
    !isShared(folder, paths) &&
    namesIn(folder).every((name) => known.has(name) || isOwnFile(name, database))
  );
};

/** True when others must pass through the folder, or work in it, as in a folder of the system. */
const isShared = (folder: string, { output, media }: Paths): boolean =>
  [output, media, process.cwd()].some((path) => isInside(path, folder)) ||
  dirname(dirname(folder)) === dirname(folder) ||
  ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & STICKY) !== 0;

const realPathOf = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
};
