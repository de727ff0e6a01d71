// A command of the user's: it gets the lists of what changed as JSON on its standard input, and carries
// the files itself. What the last successful run had is kept beside the database; what cannot be read of that
// counts as nothing, and everything is given to the command again.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import { readJsonFile } from '../../../base/files/read-json.ts';
import { writeWhole, writeWholeBeside } from '../../../base/files/write-whole.ts';
import { isBlobBelow } from '../../../content/paths/files.ts';
import { type PurgeOptions, pageAddresses, purgeOf } from '../purge/purge.ts';
import type { DeployTarget, LocalFile } from '../target.ts';
import { startCommand } from './start-command.ts';

type ExecOptions = {
  readonly command: string;
  /** What it is called in messages: its arguments may hold a secret. */
  readonly name: string;
  readonly output: string;
  readonly purge: PurgeOptions;
  /** `resource/id` -> slugs that find it, where files by slug are left out; else empty. */
  readonly slugs?: SlugsOfIds;
  /** The folder `deploys` beside the database. */
  readonly folder: string;
  /** Ends the command. */
  readonly signal?: AbortSignal;
};

type SlugsOfIds = Readonly<Record<string, readonly string[]>>;

export const createExecTarget = (options: ExecOptions): DeployTarget => {
  const { command, folder, slugs = {} } = options;
  const id = createHash('sha256').update(command).digest('hex').slice(0, 16);
  const state = join(folder, `${id}.files.json`);
  const readKnown = () => new Map(Object.entries(readJsonFile(hashes, state) ?? {}));
  // A record that is gone, or has another slug now, is still remembered by caches under its old one.
  const slugState = join(folder, `${id}.slugs.json`);
  const oldSlugs = readSlugs(slugState);
  const slugsOfId = (resource: string, record: string): string[] => {
    const key = `${resource}/${record}`;
    return [...new Set([...(oldSlugs[key] ?? []), ...(slugs[key] ?? [])])];
  };
  const news = new Map<string, string | null>();
  return {
    list: async () => new Map([...readKnown()].map(([path, tag]) => [path, { size: -1, tag }])),
    isSame: (file, { tag }) => hashOf(file) === tag,
    put: async (files) => {
      for (const file of files) news.set(file.path, hashOf(file));
    },
    remove: async (paths) => {
      for (const path of paths) news.set(path, null);
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
      await runCommand(options, { output, changed: written, removed, purge });
      writeWhole(slugState, JSON.stringify(slugs));
      const known = readKnown();
      for (const [path, hash] of news) {
        if (hash === null) known.delete(path);
        else known.set(path, hash);
      }
      await writeWholeBeside(state, JSON.stringify(Object.fromEntries(known)));
    },
  };
};

/** SHA-256 of what the command was given last, by path. */
const hashes = z.record(z.string(), z.string());

const hashOf = (file: LocalFile): string => createHash('sha256').update(file.read()).digest('hex');

/** What it prints goes to standard error: standard output is for the report. */
const runCommand = async (
  { command, name, signal }: Pick<ExecOptions, 'command' | 'name' | 'signal'>,
  lists: object,
): Promise<void> => {
  signal?.throwIfAborted();
  const child = startCommand(command, { isOwnGroup: signal !== undefined });
  const end = (): void => killGroup(child.pid);
  signal?.addEventListener('abort', end);
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  try {
    // A command may end without reading what it is told.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(lists));
    const [code, killed] = await closed;
    if (code === 0) return;
    throw new PrepressError('DEPLOY_FAILED', `The command ended with ${code ?? killed}: ${name}.`);
  } finally {
    signal?.removeEventListener('abort', end);
  }
};

const killGroup = (processId: number | undefined): void => {
  if (processId === undefined) return;
  try {
    process.kill(-processId, 'SIGTERM');
  } catch {
    // It has ended.
  }
};

const readSlugs = (file: string): SlugsOfIds =>
  readJsonFile(z.record(z.string(), z.array(z.string())), file) ?? {};
