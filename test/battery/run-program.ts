// Runs a bundle of the command line in a folder, through another program if need be (strace, a shell that
// sets limits), and says how it ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export type Ended = {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Start = {
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
  /** A program and its arguments that the command line is given to. */
  readonly through?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Another user to run as. */
  readonly uid?: number;
};

/** The caller ends it. */
export const startProgram = ({ program, folder, args, ...rest }: Start) => {
  const { through = [], environment = {}, uid } = rest;
  const [command = '', ...given] = [...through, process.execPath, program, ...args];
  return spawn(command, given, {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  }) satisfies ChildProcess;
};

/** Runs it to its end, whatever that is. */
export const runProgram = async (start: Start): Promise<Ended> => {
  const child = startProgram(start);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
};

/** Runs what must succeed; returns what it printed. */
export const mustRun = async (start: Start): Promise<string> => {
  const { code, signal, stdout, stderr } = await runProgram(start);
  if (code === 0) return stdout;
  throw new Error(`${start.args.join(' ')} ended with ${code ?? signal}:\n${stdout}${stderr}`);
};
