// A command of the user's: it gets the lists of what changed as JSON on its standard input, and carries
// the files itself. What the last successful run had is kept beside the database; what cannot be read of that
// counts as nothing, and everything is given to the command again.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PrepressError } from '../../base/errors.ts';
import { writeWhole } from '../../emit/write-whole.ts';
import { isBlobBelow } from '../../paths/files.ts';
import { type PurgeOptions, pageAddresses, purgeOf } from '../../paths/purge.ts';
import type { DeployTarget, LocalFile } from '../target.ts';

type ExecOptions = {
  readonly command: string;
  readonly output: string;
  readonly purge: PurgeOptions;
  /** `resource/id` -> slugs that find it, where files by slug are left out; else empty. */
  readonly slugs?: SlugsOfIds;
  /** Folder beside the database. */
  readonly dataFolder: string;
};

type SlugsOfIds = Readonly<Record<string, readonly string[]>>;

export const createExecTarget = (options: ExecOptions): DeployTarget => {
  const { command, dataFolder, slugs = {} } = options;
  const name = createHash('sha256').update(command).digest('hex').slice(0, 16);
  const state = join(dataFolder, 'deploys', `${name}.json`);
  const known = readState(state, HASHES);
  // A record that is gone, or has another slug now, is still remembered by caches under its old one.
  const slugState = state.replace(/json$/, 'slugs.json');
  const oldSlugs = readState(slugState, SLUGS);
  const slugsOfId = (resource: string, id: string): string[] => {
    const key = `${resource}/${id}`;
    return [...new Set([...(oldSlugs[key] ?? []), ...(slugs[key] ?? [])])];
  };
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
      // Nobody asked for a blob before it was named.
      const touched = [...written.filter((path) => !isBlobBelow(content, path)), ...removed];
      const files = touched
        .filter((path) => path.startsWith(content))
        .map((path) => path.slice(content.length));
      const beside = touched.filter((path) => !path.startsWith(content));
      const purge = [
        ...(await purgeOf(files, { ...purgeOptions, slugsOfId })),
        ...beside.flatMap(pageAddresses),
      ];
      await runCommand(command, { output, changed: written, removed, purge });
      saveState(slugState, slugs);
      saveState(state, Object.fromEntries(hashes));
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
    throw new PrepressError('DEPLOY_FAILED', `The command ended with ${code}: ${command}`);
  }
};

const HASHES = z.record(z.string(), z.string());
const SLUGS = z.record(z.string(), z.array(z.string()));

const readState = <State>(file: string, schema: z.ZodType<Readonly<Record<string, State>>>) => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
};

const saveState = (file: string, state: object): void => {
  writeWhole(file, JSON.stringify(state));
};
