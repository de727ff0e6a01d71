// Copies files from elsewhere into the media folder, or from there. They are made in a hidden folder, some hundred
// at a time made durable, and only then get their names: a name never stands for fewer bytes than the file has.
// Everybody may read a copy and nobody may write it, whatever the umask is. Bytes are shared where the file system
// can do that (a reflink), but never a file: what writes in place, in one folder, must not reach the other.
import { chmodSync, constants, type Stats } from 'node:fs';
import { chmod, copyFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { systemReason } from '../../base/files/disk-error.ts';
import { type Durability, realDurability } from '../../base/files/durability.ts';
import { tryLink } from '../../base/files/hard-links.ts';
import { OwnFolders } from '../../base/files/own-folders.ts';
import { removeStaleFolders } from '../../base/files/stale-folders.ts';
import { MEDIA_FILE_MODE } from './media-folder.ts';

const STAGING_FOLDER = '.prepress-import';

/** As many are made durable at once. */
const BATCH = 500;

export type CopiedFiles = {
  /** The copy has the times of the file; `alias`: a file of the same bytes, which gets a further name if it can. */
  readonly add: (from: string, to: string, file: Source) => Promise<void>;
  /** Gives all that was added its name. */
  readonly finish: () => Promise<void>;
  /** Removes what has no name yet. */
  readonly close: () => Promise<void>;
};

type Source = { readonly stats: Stats; readonly alias?: string | undefined };

export type CopiedFilesOptions = {
  readonly durability?: Durability;
  /** Mode of the folders that are made; absent: as the umask has it. */
  readonly folderMode?: number | undefined;
  /** Other runs may be at work in the same folder: what they make is left alone. */
  readonly staging?: string;
};

/**
 * `folder` holds all targets; the folder above it must exist. What an earlier run left in it is removed: the caller
 * sees to it that no other is at work. Throws OUTPUT_UNWRITABLE.
 */
export const openCopiedFiles = async (
  folder: string,
  { durability = realDurability, folderMode, staging: own }: CopiedFilesOptions = {},
): Promise<CopiedFiles> => {
  const staging = join(folder, own ?? STAGING_FOLDER);
  const folders = new OwnFolders(dirname(folder));
  let staged: { readonly temporary: string; readonly to: string }[] = [];
  const close = (): Promise<void> => rm(staging, { recursive: true, force: true });

  const makeFolders = (path: string): void => {
    if (folders.has(path)) return;
    makeFolders(dirname(path));
    folders.make(path);
    if (folderMode !== undefined) chmodSync(path, folderMode);
  };

  const place = async (): Promise<void> => {
    if (staged.length === 0) return;
    await durability.syncPaths(folder, new Set(staged.map(({ temporary }) => temporary)));
    const touched = new Set([dirname(folder)]);
    for (const { temporary, to } of staged) {
      await unlessUnwritable(to, async () => {
        makeFolders(dirname(to));
        await rename(temporary, to);
      });
      for (let one = dirname(to); one.length >= folder.length; one = dirname(one)) touched.add(one);
    }
    await durability.syncPaths(folder, touched);
    staged = [];
  };

  await unlessUnwritable(folder, async () => {
    if (own !== undefined) return;
    await close();
    removeStaleFolders(folder, (name) => name.startsWith(`${STAGING_FOLDER}-`));
  });
  return {
    add: (from, to, { stats, alias }) =>
      unlessUnwritable(to, async () => {
        const temporary = join(staging, String(staged.length));
        makeFolders(staging);
        if (alias === undefined || !tryLink(alias, temporary)) {
          await copyFile(from, temporary, constants.COPYFILE_FICLONE);
          // Some file systems have no modes.
          await chmod(temporary, MEDIA_FILE_MODE).catch(() => undefined);
          await utimes(temporary, stats.atime, stats.mtime);
        }
        staged.push({ temporary, to });
        if (staged.length === BATCH) await place();
      }),
    finish: () => unlessUnwritable(folder, place),
    close,
  };
};

const unlessUnwritable = async (path: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof PrepressError) throw cause;
    const sentence = `The file ${path} cannot be written: ${systemReason(cause)}.`;
    throw new PrepressError('OUTPUT_UNWRITABLE', sentence, { cause });
  }
};
