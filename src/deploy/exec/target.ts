// A command of the user's: it gets the lists of what changed as JSON on its standard input, and carries
// the files itself. What the last successful run had is kept beside the database.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { type PurgeOptions, purgeAddresses } from '../../paths/purge.ts';
import type { DeployTarget, LocalFile } from '../target.ts';

type ExecOptions = {
  readonly command: string;
  readonly output: string;
  readonly purge: PurgeOptions;
  /** Folder beside the database. */
  readonly dataFolder: string;
};

export const createExecTarget = (options: ExecOptions): DeployTarget => {
  const { command, dataFolder } = options;
  const name = createHash('sha256').update(command).digest('hex').slice(0, 16);
  const state = join(dataFolder, 'deploys', `${name}.json`);
  const known = readState(state);
  const hashes = new Map(Object.entries(known));
  return {
    list: async () =>
      new Map(Object.entries(known).map(([path, tag]) => [path, { size: -1, tag }])),
    isSame: (file, { tag }) => hashOf(file) === tag,
    put: async (files) => {
      for (const file of files) hashes.set(file.path, hashOf(file));
    },
    remove: async (paths) => {
      for (const path of paths) hashes.delete(path);
    },
    finish: async ({ written, removed }) => {
      if (written.length + removed.length === 0) return;
      const { output, purge: purgeOptions } = options;
      const content = `${purgeOptions.basePath}/content/`.slice(1);
      const purge = [...written, ...removed]
        .filter((path) => path.startsWith(content))
        .flatMap((path) => purgeAddresses(path.slice(content.length), purgeOptions));
      await runCommand(command, { output, changed: written, removed, purge });
      saveState(state, hashes);
    },
  };
};

const hashOf = (file: LocalFile): string => createHash('sha256').update(file.read()).digest('hex');

const runCommand = async (command: string, lists: object): Promise<void> => {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  // A command may end without reading what it is told.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(lists));
  const [code] = await closed;
  if (code !== 0) {
    throw new PrepressError('OUTPUT_UNWRITABLE', `The command ended with ${code}: ${command}`);
  }
};

const readState = (file: string): Record<string, string> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};

const saveState = (file: string, hashes: ReadonlyMap<string, string>): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(hashes)), { flush: true });
  renameSync(`${file}.new`, file);
};
