// prepress backup: a consistent copy of the database while everything runs.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import { backupDatabase } from '../../store/sqlite/backup.ts';
import type { Run } from '../command.ts';

export const backup: Run = async ({ config, report, args }) => {
  const target = resolve(args[0] ?? '');
  if (existsSync(target)) throw new PrepressError('FILE_EXISTS', `${target} exists already.`);
  if (!existsSync(dirname(target))) {
    throw new PrepressError('OUTPUT_UNWRITABLE', `There is no folder ${dirname(target)}.`);
  }
  const { database, secretKey } = dataPathsOf(config);
  await backupDatabase(database, target);
  report.say(`Copied the database to ${target}. Keep ${secretKey} with it: it opens the secrets.`);
  report.data({ file: target });
  return 0;
};
