// The files whose locks say that a program builds or delivers. They hold nothing: one that is damaged is
// emptied in its place, where programs that hold a lock on it keep that.
import { existsSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../errors.ts';
import { makePrivateFile } from '../files/private-files.ts';
import { loadDriver } from './driver.ts';
import { isBusy, isDamage } from './error-kinds.ts';

/** `alone`: no other program holds one beside it. `shared`: no program holds it alone. */
export type LockMode = 'alone' | 'shared';

export type FileLock = { readonly release: () => void };

const SQL: Readonly<Record<LockMode, string>> = {
  alone: 'BEGIN EXCLUSIVE',
  shared: 'BEGIN; SELECT count(*) FROM sqlite_schema',
};

/** Null when another program's lock stands in the way. Throws FILE_FAILED when the file cannot be used. */
export const takeLock = (path: string, mode: LockMode): FileLock | null => {
  try {
    return lock(path, mode);
  } catch (error) {
    if (!isDamage(error)) throw unusable(path, error);
  }
  try {
    truncateSync(path);
    return lock(path, mode);
  } catch (error) {
    throw unusable(path, error);
  }
};

const POLL_MS = 20;

/** Waits for it; null when it could not be had within `timeoutMs`. Throws what the signal says. */
export const waitForLock = async (
  path: string,
  mode: LockMode,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<FileLock | null> => {
  const started = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const held = takeLock(path, mode);
    if (held !== null || performance.now() - started > timeoutMs) return held;
    await sleep(POLL_MS);
  }
};

const lock = (path: string, mode: LockMode): FileLock | null => {
  makePrivateFile(path);
  const connection = new (loadDriver())(path, { timeout: 0 });
  try {
    // Nothing is written, and a disk that is full takes no file for it.
    connection.pragma('journal_mode = MEMORY');
    connection.exec(SQL[mode]);
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw error;
  }
};

const unusable = (path: string, cause: unknown): unknown => {
  if (cause instanceof PrepressError) return cause;
  const folder = dirname(path);
  if (!existsSync(folder)) {
    const hint = 'Mount it or put it back, and try again.';
    return new PrepressError('FILE_FAILED', `The folder ${folder} is not there.`, { cause, hint });
  }
  const { code, message } = cause as NodeJS.ErrnoException;
  const sentence = `The lock file ${path} cannot be used: ${message} (${code}).`;
  return new PrepressError('FILE_FAILED', sentence, { cause });
};
