// prepress backup: a consistent copy of the database while everything runs, and of the pictures. The database is copied
// first: what it names is then among the pictures. Whoever rotates copies must learn of damage while an earlier
// one is still whole, so a damaged database replaces nothing.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { PrepressError } from '../../../base/errors.ts';
import { realDurability } from '../../../base/files/durability.ts';
import { makePrivateFolder } from '../../../base/files/private-files.ts';
import { counted } from '../../../base/text/counted.ts';
import { type CopyReport, copyMedia } from '../../../publication/media/copy-media.ts';
import { findMediaFolders } from '../../../publication/media/media-folder.ts';
import { backupDatabase } from '../../../publication/store/back-up-database.ts';
import { throwIfNoBackup } from '../../../publication/store/earlier-backup.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import { shownAddress } from '../../../settings/database-address.ts';
import type { Run } from '../command.ts';
import { type BackupTarget, findBackupTarget } from './backup-target.ts';

export const backup: Run = async ({ config, ownConfig, report, args, options }) => {
  const { database, buildLock, secretKey, media, output, postgres } = dataPathsOf(ownConfig);
  if (postgres !== null) throw isElsewhere(shownAddress(postgres.address), secretKey);
  const [to = ''] = args;
  if (/^\w+:\/\//.test(to)) {
    const sentence = `A backup goes to a file or folder of this machine, got "${to}". Copy it from there.`;
    throw new PrepressError('USAGE', sentence);
  }
  const takenAt = options.dated === true ? systemClock.now() : null;
  const target = findBackupTarget({
    to,
    database,
    buildLock,
    served: [output, media],
    takenAt,
  });
  const { file } = target;
  throwIfNoBackup(file);
  if (options.replace !== true) throwIfTaken(target);
  const copy = await backupDatabase(dataPathsOf(config).database, file);
  const [fault] = copy.faults;
  let pictures: Pictures | null = null;
  try {
    throwIfWorse(fault, file);
    pictures = await backUpMedia(media, target);
    await realDurability.syncPaths(dirname(file), new Set([copy.partial]));
    copy.place();
    await realDurability.syncPaths(dirname(file), new Set([dirname(file)]));
  } finally {
    copy.discard();
  }
  if (fault !== undefined) {
    const sentence = `The database is damaged, and so is its copy ${file}: ${fault}.`;
    throw new PrepressError('DATABASE_UNREADABLE', sentence);
  }
  report.print(
    `Copied the database to ${file}. Keep ${secretKey} with it: it decrypts the secrets in the copy.`,
  );
  if (pictures !== null) printPictures(report, pictures);
  report.data({ file, media: pictures });
  return 0;
};

const isElsewhere = (name: string, secretKey: string): PrepressError => {
  const sentence = `The publication is in ${name}: copy it with "pg_dump --format=custom", and keep ${secretKey} and the media folder with it.`;
  return new PrepressError('USAGE', sentence, { hint: '' });
};

const throwIfTaken = ({ file, media }: BackupTarget): void => {
  const taken = [file, media].find((path) => existsSync(path));
  if (taken === undefined) return;
  const sentence = `${taken} already exists.`;
  const hint = 'Add --replace to replace it, or --dated for a name with the date.';
  throw new PrepressError('FILE_EXISTS', sentence, { hint });
};

const throwIfWorse = (fault: string | undefined, file: string): void => {
  if (fault === undefined || !existsSync(file)) return;
  const sentence = `The database is damaged: ${fault}. The earlier copy ${file} stays.`;
  throw new PrepressError('DATABASE_UNREADABLE', sentence);
};

type Pictures = {
  readonly folder: string;
  readonly files: number;
  readonly skipped: CopyReport['skipped'];
};

/** Null when there is nothing to copy. The folder appears whole, or is replaced whole. */
const backUpMedia = async (media: string, target: BackupTarget): Promise<Pictures | null> => {
  const folders = existsSync(media) ? findMediaFolders(media).folders : [];
  const partial = `${target.media}.partial`;
  rmSync(partial, { recursive: true, force: true });
  if (folders.length === 0) return null;
  makePrivateFolder(partial);
  try {
    const { copied, skipped } = await copyMedia({
      root: media,
      to: partial,
      folders: folders.map((name) => ({ from: name, name })),
      earlier: target.earlierMedia,
    });
    // A disk that is not mounted takes no earlier copy away.
    if (copied > 0) replaceFolder(partial, target.media);
    return copied > 0 ? { folder: target.media, files: copied, skipped } : null;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
};

/** A run that is killed in between leaves one of the two under its name or as `.old`. */
const replaceFolder = (from: string, to: string): void => {
  const old = `${to}.old`;
  if (existsSync(to)) {
    rmSync(old, { recursive: true, force: true });
    renameSync(to, old);
  }
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
};

const printPictures = (report: Report, { folder, files, skipped }: Pictures): void => {
  report.print(
    `Copied ${counted(files, 'picture or other file', 'pictures and other files')} to ${folder}.`,
  );
  for (const { path, reason } of skipped) report.print(`Skipped ${path}: it ${reason}.`);
};
