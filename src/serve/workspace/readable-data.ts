// Commands that only read work where nothing can be written, on a full disk or one that can only be read: they read a copy
// of the data folder. SQLite cannot read a database with a write-ahead log beside which it can make no file.
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { AS_OWNER } from '../../base/files/as-owner.ts';
import { makeScratchFolder, removeScratchFolder } from '../../base/files/scratch-folder.ts';
import { findUnwritableReason } from '../../base/files/unwritable.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { closeDataFolder } from '../../publication/store/data-folder.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import { mediaFolderOf } from '../../settings/places.ts';
import type { Config } from '../../settings/settings.ts';
import { warn } from './report.ts';

type Readable = { readonly config: Config; readonly close: () => void };

/** As it is, where the data folder takes files. The caller closes it. Throws DATABASE_UNWRITABLE when no copy can be made either. */
export const openReadable = (config: Config): Readable => {
  const { database, postgres } = dataPathsOf(config);
  const folder = dirname(database);
  const reason = postgres === null && existsSync(database) ? findFullReason(folder) : null;
  if (reason === null) return { config, close: () => undefined };
  const copy = copyElsewhere(folder, reason);
  const readable = {
    ...config,
    database: join(copy, basename(database)),
    media: mediaFolderOf(config),
  };
  warn(`${reason}: what follows was read from a copy, and nothing was written.`);
  // Here: a command that finds the copy open would name that.
  if (closeDataFolder(dataPathsOf(readable)).length > 0)
    warn(
      `Other users have access to files of ${folder}: run "chmod -R o= ${shellWord(folder)}" as its owner.`,
    );
  return {
    config: readable,
    close: () => removeScratchFolder(copy),
  };
};

/** As many bytes as SQLite needs beside a database to read it. */
const NEEDED_BYTES = 65_536;

const findFullReason = (folder: string): string | null => {
  const reason = findUnwritableReason(folder);
  if (reason !== null) return reason;
  const probe = join(folder, `.probe-${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(probe, Buffer.alloc(NEEDED_BYTES), { flag: 'wx', mode: 0o600 });
    return null;
  } catch (error) {
    return `Nothing can be written in ${folder} (${(error as NodeJS.ErrnoException).code})`;
  } finally {
    rmSync(probe, { force: true });
  }
};

/** Not what is only written, nor databases that were moved away, nor the index of a log, which SQLite makes anew. */
const LEFT_OUT = /^(?:mail|old|trial|uploads|pages-staging)(?:\/|$)|-shm$/;

const PLACES = [tmpdir(), '/dev/shm'];

const copyElsewhere = (folder: string, reason: string): string => {
  for (const place of PLACES) {
    if (!existsSync(place) || findFullReason(place) !== null) continue;
    const copy = makeScratchFolder('reading', place);
    try {
      cpSync(folder, copy, {
        recursive: true,
        filter: (from) => !LEFT_OUT.test(relative(folder, from)),
      });
      return copy;
    } catch (cause) {
      removeScratchFolder(copy);
      const { code, path } = cause as NodeJS.ErrnoException;
      if (code !== 'EACCES') continue;
      const sentence = `This user may not read ${path} (EACCES).`;
      throw new PrepressError('DATABASE_UNWRITABLE', sentence, { cause, hint: AS_OWNER });
    }
  }
  const sentence = `${reason}, and ${PLACES.join(' and ')} cannot hold a copy of it to read; free some space, or name another folder in TMPDIR.`;
  throw new PrepressError('DATABASE_UNWRITABLE', sentence);
};
