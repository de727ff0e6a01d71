// Programs that serve: found on this machine or not, started as plain processes on loopback, ended by
// their own process id.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../helpers/eventually.ts';
import { askAt } from './ask.ts';

/** Why a program's tests are skipped, or null when it is there. Where everything is checked, it must be. */
export const missing = (program: string, install: string): string | null => {
  try {
    findProgram(program);
    return null;
  } catch {
    const reason = `${program} is not installed: ${install}`;
    if (process.env.CI !== undefined) throw new Error(reason);
    return reason;
  }
};

/** The same for a file of a package, such as a module. */
export const missingFile = (file: string, install: string): string | null => {
  if (existsSync(file)) return null;
  const reason = `${file} is not installed: ${install}`;
  if (process.env.CI !== undefined) throw new Error(reason);
  return reason;
};

/** The path of a program; throws when there is none. */
export const findProgram = (program: string): string =>
  execFileSync('sh', ['-c', `command -v ${program}`], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    encoding: 'utf8',
  }).trim();

/** Below those that systems hand out (32768 on Linux, 49152 elsewhere): connections and servers of other tests take these. */
const PORTS = { from: 10_000, to: 32_000 } as const;

/** A port that nobody has; whoever asks for it listens soon. */
export const freePort = async (): Promise<number> => {
  const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
  const server = createServer().listen(port, '127.0.0.1');
  // Rejects with the error that says that somebody has it.
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
};

export type RunningProgram = { readonly end: () => Promise<void> };

type StartOptions = {
  readonly cwd: string;
  /** The port that answers when it has started. */
  readonly port: number;
  /** Asks whether it answers; a request of HTTP when left out. */
  readonly ask?: () => Promise<unknown>;
  readonly environment?: Readonly<Record<string, string>>;
};

export const startProgram = async (
  command: readonly string[],
  { cwd, port, ask = () => askAt(port)({ path: '/' }), environment = {} }: StartOptions,
): Promise<RunningProgram> => {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4_000);
    });
  }
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  await Promise.race([failed, untilAnswers(child, ask, () => said)]);
  return { end: () => endProgram(child) };
};

const untilAnswers = async (
  child: ChildProcess,
  ask: () => Promise<unknown>,
  said: () => string,
): Promise<void> => {
  let isAnswering = false;
  const tryOnce = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    await ask();
    isAnswering = true;
  };
  await eventually(tryOnce).catch(() => undefined);
  if (isAnswering) return;
  await endProgram(child);
  throw new Error(`${child.spawnfile} did not start: ${said()}`);
};

const endProgram = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const ended = once(child, 'exit');
  const isEnded = await Promise.race([ended.then(() => true), pause(5_000, false)]);
  if (!isEnded) child.kill('SIGKILL');
  await ended;
};
