// What tells how a command ended.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withPreload } from './preload.ts';

/** Logs of SQLite in a publication's data folder, which the last to close a database puts away. */
export const findLogs = (folder: string): string[] =>
  readdirSync(join(folder, 'data')).filter((name) => /-(?:wal|shm)$/.test(name));

/** The environment of a command whose child processes never say a word, nor end. */
export const withSilentChildren = (folder: string) =>
  withPreload(
    folder,
    `import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
childProcess.spawn = () =>
  Object.assign(new EventEmitter(), { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() });`,
  );
