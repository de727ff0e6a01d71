// Programs that serve: started as plain processes on loopback, ended by their own process id.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../helpers/eventually.ts';
import { askAt } from './ask.ts';

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
