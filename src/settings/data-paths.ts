// Where the files beside the publishing database lie.
import { dirname, join, resolve } from 'node:path';
import { databaseFileOf, findPostgres, type PostgresPlace } from './database-address.ts';
import { mediaFolderOf } from './places.ts';
import type { Config } from './settings.ts';

export type DataPaths = {
  /** The publishing database, or the read model of one in PostgreSQL. */
  readonly database: string;
  readonly postgres: PostgresPlace | null;
  readonly manifest: string;
  readonly buildLock: string;
  /** Held while files of hosts, and what else belongs beside a build, are written. */
  readonly hostsLock: string;
  /** The folder that keeps pictures, media and files; builds place them in the output. */
  readonly media: string;
  /** What was placed from it. */
  readonly mediaIndex: string;
  /** The folder of pictures in sizes, each named by the hash of its original, and of the index of them. */
  readonly sizes: string;
  /** Held while many files are brought into the media folder, or from there into the output. */
  readonly imagesLock: string;
  /** Holds uploads until they are taken. */
  readonly uploads: string;
  /** Held by every program that delivers. */
  readonly delivererLock: string;
  /** The settings that the programs which hold that lock build with. */
  readonly serverSettings: string;
  /** Held while a program begins or ends to build with those settings. */
  readonly serverSettingsLock: string;
  /** What was last seen of a source that is followed. */
  readonly followState: string;
  /** The key that seals secrets in the database. */
  readonly secretKey: string;
  /** The admin key that was made first, for the administrator to read. */
  readonly adminKey: string;
  readonly contentFolder: string;
  readonly output: string;
};

export const dataPathsOf = (config: Config): DataPaths => {
  const database = databaseFileOf(config);
  const folder = dirname(database);
  const output = resolve(config.output);
  return {
    database,
    postgres: findPostgres(config),
    manifest: join(folder, 'build.db'),
    buildLock: join(folder, 'build.lock.db'),
    hostsLock: join(folder, 'hosts.lock.db'),
    media: mediaFolderOf(config),
    mediaIndex: join(folder, 'media.db'),
    sizes: join(folder, 'sizes'),
    imagesLock: join(folder, 'images.lock.db'),
    uploads: join(folder, 'uploads'),
    delivererLock: join(folder, 'deliverer.lock.db'),
    serverSettings: join(folder, 'server-settings.json'),
    serverSettingsLock: join(folder, 'settings.lock.db'),
    followState: join(folder, 'follow.json'),
    secretKey: join(folder, 'secret.key'),
    adminKey: join(folder, 'admin-key'),
    contentFolder: join(output, config.basePath, 'content'),
    output,
  };
};
