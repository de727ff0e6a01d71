// Encodes pictures in a process of its own. What libvips takes goes back to the system when that ends, one arena of malloc
// keeps it from growing with each thread, and a picture that breaks it breaks nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { type PackedError, unpackError } from '../../base/threads/thread-error.ts';
import type { Encoded, EncodeRequest } from './encode-picture.ts';

export type Said = { readonly encoded: Encoded } | { readonly failed: PackedError };

export type EncoderProcess = {
  /** Null: the picture ended the process, and the next starts another. Throws what reading or writing throws. */
  readonly encode: (request: EncodeRequest) => Promise<Encoded | null>;
  readonly close: () => Promise<void>;
};

/** Beyond what the sizes of a picture may take. */
const PICTURE_MS_MAX = 10 * 60_000;

/** It starts with its first request. `priority`: as `nice` has it; 0 as the program itself. */
export const createEncoderProcess = (workerFile: string, priority: number): EncoderProcess => {
  let child: ChildProcess | null = null;
  const close = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || hasEnded(ending)) return;
    ending.kill('SIGKILL');
    await once(ending, 'exit');
  };
  return {
    encode: async (request) => {
      // One that ended between two pictures, such as for want of memory, tells nothing of the next.
      if (child === null || hasEnded(child)) child = start(workerFile, priority);
      const said = await ask(child, request);
      if (said === null) await close();
      else if ('failed' in said) throw unpackError(said.failed);
      return said?.encoded ?? null;
    },
    close,
  };
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** All of it: nothing else is of use to it. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };

const start = (workerFile: string, priority: number): ChildProcess => {
  // A Ctrl-C is for the program, which then ends this.
  const child = fork(workerFile, {
    env: ENVIRONMENT,
    execArgv: [],
    stdio: 'ignore',
    detached: true,
  });
  try {
    if (child.pid !== undefined && priority > 0) setPriority(child.pid, priority);
  } catch {
    // It has the priority of its parent.
  }
  return child;
};

/** Null: it ended, or took too long. */
const ask = (child: ChildProcess, request: EncodeRequest): Promise<Said | null> =>
  new Promise((resolve) => {
    const end = (said: Said | null): void => {
      clearTimeout(late);
      child.removeAllListeners();
      // One that could not be started says so later.
      child.on('error', () => undefined);
      resolve(said);
    };
    const late = setTimeout(end, PICTURE_MS_MAX, null);
    child.once('message', (said: Said) => end(said));
    for (const name of ['exit', 'error']) child.once(name, () => end(null));
    child.send(request);
  });
