// What tells how a command ended.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Logs of SQLite in a publication's data folder, which the last to close a database puts away. */
export const findLogs = (folder: string): string[] =>
  readdirSync(join(folder, 'data')).filter((name) => /-(?:wal|shm)$/.test(name));

/** The environment of a command whose child processes never say a word, nor end. */
export const withSilentChildren = (folder: string): { readonly NODE_OPTIONS: string } => {
  const preload = join(folder, 'silent.mjs');
  writeFileSync(
    preload,
    `import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
childProcess.spawn = () =>
  Object.assign(new EventEmitter(), { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() });
syncBuiltinESMExports();
`,
  );
  return { NODE_OPTIONS: `--import ${preload}` };
};
