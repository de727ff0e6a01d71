// prepress backup: a consistent copy of the database while everything runs. Whoever keeps copies in turn must
// learn of damage while an earlier one is still whole.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { realDurability } from '../../emit/durability.ts';
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
  const [fault] = await backupDatabase(database, target);
  await realDurability.syncPaths(dirname(target), new Set([target, dirname(target)]));
  if (fault !== undefined) {
    const sentence = `The database is damaged, and so is its copy ${target}: ${fault}.`;
    throw new PrepressError('DATABASE_UNREADABLE', sentence);
  }
  report.say(`Copied the database to ${target}. Keep ${secretKey} with it: it opens the secrets.`);
  report.data({ file: target });
  return 0;
};
