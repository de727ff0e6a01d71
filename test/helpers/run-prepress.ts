// Runs the built command as a user does: `node dist/prepress.js` in a folder of its own. The settings
// of whoever runs the tests do not reach it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What `npm run bundle` made; a sabotaged one where `npm run sabotage` asks for it. */
export const COMMAND =
  process.env.PREPRESS_TEST_COMMAND ??
  fileURLToPath(new URL('../../dist/prepress.js', import.meta.url));

export type Finished = {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

type RunOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** The limit of open files that the command gets, set by prlimit. */
  readonly openFilesMax?: number;
};

/** Starts the command in `folder`; the caller ends it. */
export const spawnPrepress = (
  folder: string,
  args: readonly string[],
  { environment = {}, openFilesMax }: RunOptions = {},
) => {
  if (!existsSync(COMMAND)) throw new Error('There is no dist/prepress.js: npm run bundle.');
  const limited = openFilesMax === undefined ? [] : ['prlimit', `--nofile=${openFilesMax}`];
  const [program = '', ...rest] = [...limited, process.execPath, COMMAND, ...args];
  return spawn(program, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  }) satisfies ChildProcess;
};

/** Runs the command to its end, whatever its exit code is. */
export const runPrepress = async (
  folder: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> => {
  const child = spawnPrepress(folder, args, options);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
};

/** Runs a command that must succeed; returns what it printed. */
export const prepress = async (
  folder: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> => {
  const { code, stdout, stderr } = await runPrepress(folder, args, options);
  if (code !== 0) throw new Error(`prepress ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
};
