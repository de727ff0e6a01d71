// Encodes pictures in a process of its own. What libvips takes goes back to the system when that ends, one arena of malloc
// keeps it from growing with each thread, and a picture that breaks it breaks nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { type PackedError, unpackError } from '../../base/threads/thread-error.ts';
import type { Encoded, EncodeRequest } from './encode-picture.ts';

export type Said =
  | { readonly isReady: true }
  | { readonly encoded: Encoded }
  | { readonly failed: PackedError };

export type Encoding =
  | { readonly encoded: Encoded }
  /** The picture, or somebody, ended the process, or it took too long; the next starts another. */
  | { readonly ended: string }
  /** No process can be started, and why. */
  | { readonly unusable: string };

export type EncoderProcess = {
  /** Throws what reading or writing throws. */
  readonly encode: (request: EncodeRequest) => Promise<Encoding>;
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
    // The system takes a signal to a process that never started for one to all of this program's group.
    if (ending?.pid === undefined || hasEnded(ending)) return;
    ending.kill('SIGKILL');
    await once(ending, 'exit');
  };
  /** Or why there is none. */
  const begin = async (): Promise<ChildProcess | string> => {
    try {
      child = start(workerFile, priority);
      const first = await hear(child);
      if ('isReady' in first) return child;
      await close();
      return 'failed' in first ? (first.failed.message.split('\n')[0] ?? '') : reasonOf(first);
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    encode: async (request) => {
      // One that ended between two pictures, such as for want of memory, tells nothing of the next.
      const ready = child === null || hasEnded(child) ? await begin() : child;
      if (typeof ready === 'string') return { unusable: ready };
      const said = await hear(ready, request);
      if ('failed' in said) throw unpackError(said.failed);
      if ('encoded' in said) return said;
      await close();
      return { ended: reasonOf(said) };
    },
    close,
  };
};

type Ended = { readonly ended: string };

const reasonOf = (said: Said | Ended): string => ('ended' in said ? said.ended : '');

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** All of it: nothing else is of use to it. What is large goes back to the system once it is freed. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1000000' };

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

/** What it says next; of a request, where there is one. */
const hear = (child: ChildProcess, request?: EncodeRequest): Promise<Said | Ended> =>
  new Promise((resolve) => {
    const end = (said: Said | Ended): void => {
      clearTimeout(late);
      child.removeAllListeners();
      // One that could not be started says so later.
      child.on('error', () => undefined);
      resolve(said);
    };
    const late = setTimeout(end, PICTURE_MS_MAX, { ended: 'it took too long' });
    child.once('message', (said: Said) => end(said));
    child.once('exit', () => end({ ended: 'it ended at once' }));
    child.once('error', ({ message }) => end({ ended: message }));
    if (request !== undefined) child.send(request);
  });
