// Copies files from elsewhere into a folder of the output. They are made in a hidden folder, some hundred at
// a time made durable, and only then get their names: a name never stands for fewer bytes than the file has.
import type { Stats } from 'node:fs';
import { copyFile, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PrepressError } from '../base/errors.ts';
import { type Durability, realDurability } from './durability.ts';

const STAGING_FOLDER = '.prepress-import';

/** As many are made durable at once. */
const BATCH = 500;

export type CopiedFiles = {
  /** The copy has the times of the file. */
  readonly add: (from: string, to: string, stats: Stats) => Promise<void>;
  /** Gives all that was added its name. */
  readonly finish: () => Promise<void>;
  /** Removes what has no name yet. */
  readonly close: () => Promise<void>;
};

/**
 * `folder` holds all targets. What an earlier run left in it is removed: the caller sees to it that no other
 * is at work. Throws OUTPUT_UNWRITABLE.
 */
export const openCopiedFiles = async (
  folder: string,
  durability: Durability = realDurability,
): Promise<CopiedFiles> => {
  const staging = join(folder, STAGING_FOLDER);
  let staged: { readonly temporary: string; readonly to: string }[] = [];
  const close = (): Promise<void> => rm(staging, { recursive: true, force: true });

  const place = async (): Promise<void> => {
    if (staged.length === 0) return;
    await durability.syncPaths(folder, new Set(staged.map(({ temporary }) => temporary)));
    const folders = new Set([dirname(folder)]);
    for (const { temporary, to } of staged) {
      await mkdir(dirname(to), { recursive: true });
      await unlessUnwritable(to, () => rename(temporary, to));
      for (let one = dirname(to); one.length >= folder.length; one = dirname(one)) folders.add(one);
    }
    await durability.syncPaths(folder, folders);
    staged = [];
  };

  await unlessUnwritable(folder, close);
  return {
    add: (from, to, stats) =>
      unlessUnwritable(to, async () => {
        const temporary = join(staging, String(staged.length));
        await mkdir(staging, { recursive: true });
        await copyFile(from, temporary);
        await utimes(temporary, stats.atime, stats.mtime);
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
    throw new PrepressError('OUTPUT_UNWRITABLE', `The file ${path} cannot be written.`, { cause });
  }
};
