// prepress database move: a publication in a SQLite file into PostgreSQL, and back. Both sides are compared row by row.
import { copyFileSync, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { makeDataFolder } from '../../../publication/store/data-folder.ts';
import { isSomebodyPresent } from '../../../publication/store/locks/deliverer-presence.ts';
import { moveToPostgres, moveToSqlite } from '../../../publication/store/move-database.ts';
import { type DataPaths, dataPathsOf } from '../../../settings/data-paths.ts';
import { shownAddress } from '../../../settings/database-address.ts';
import type { Run } from '../command.ts';

export const databaseMove: Run = async ({ config, report, args, options }) => {
  const { postgres, secretKey } = dataPathsOf(config);
  if (postgres === null) {
    const sentence =
      'The setting database names no PostgreSQL. Set PREPRESS_DATABASE to postgres://user:password@host/database.';
    throw new PrepressError('USAGE', sentence);
  }
  const file = resolve(args[0] ?? '');
  const isBack = options.back === true;
  if (!isBack && existsSync(file))
    refuseWhileServed(file, dataPathsOf({ ...config, database: file }));
  const started = performance.now();
  const { rows, changed } = isBack
    ? await moveToSqlite(postgres.address, file)
    : await moveToPostgres(file, postgres.address);
  const fileKey = join(dirname(file), 'secret.key');
  const [from, to] = isBack ? [secretKey, fileKey] : [fileKey, secretKey];
  makeDataFolder(dataPathsOf(config));
  if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
  const seconds = (performance.now() - started) / 1_000;
  const names = [file, shownAddress(postgres.address)];
  const [source, target] = isBack ? names.reverse() : names;
  report.print(
    `Moved ${counted(rows, 'row')} from ${source} to ${target} and compared them in ${seconds.toFixed(1)} s. ${source} stays as it is.`,
  );
  if (changed > 0)
    report.print(`Removed U+0000, which PostgreSQL cannot hold, from ${counted(changed, 'text')}.`);
  report.print(
    existsSync(to)
      ? `Keep ${to} with it: it decrypts the secrets.`
      : `Copy secret.key of the machine that encrypted the secrets to ${to}: it decrypts them.`,
  );
  report.data({ rows, changed, seconds });
  return 0;
};

/** What its server saved later would stay in the file. */
const refuseWhileServed = (file: string, { delivererLock }: DataPaths): void => {
  if (!isSomebodyPresent(delivererLock)) return;
  const sentence = `A server or "prepress watch" runs on ${file}, and its later saves would not be moved.`;
  throw new PrepressError('DATABASE_BUSY', sentence);
};
