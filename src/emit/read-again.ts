// Large lists are written past the system's cache, which makes a build shorter; the next edit reads most of their
// bytes. A program that stays open has a thread read them once, when the build is announced: then they are in
// the cache as if they had been written through it.
import { closeSync, openSync, readSync } from 'node:fs';
import { AFTER_BUILD_MS } from '../base/limits.ts';
import { findBundledWorker, startAside } from './bundled-worker.ts';
import { BLOCK_BYTES } from './direct-file.ts';
import type { EmitTask } from './emit-worker.ts';

export type LargeList = { readonly path: string; readonly size: number };

/** Smaller ones have no block that went past the cache. */
export const takeIfLarge = (lists: LargeList[], list: LargeList): void => {
  if (list.size >= BLOCK_BYTES) lists.push(list);
};

/** Of the memory that the system can give; what is read beyond that would push out what was read before. */
const MEMORY_SHARE_MAX = 0.5;
const CHUNK_BYTES = 256 * 1024;

/** What is to be read: a build that follows soon adds to it, and begins the wait anew. */
const due = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;

/** The process goes on meanwhile, and ends without it. */
export const readAgain = (
  lists: readonly LargeList[],
  findWorker = () => findBundledWorker('emit-worker'),
): void => {
  if (lists.length === 0) return;
  for (const { path, size } of lists) due.set(path, size);
  clearTimeout(timer);
  timer = setTimeout(() => {
    const paths = [...due.keys()];
    const bytes = [...due.values()].reduce((sum, size) => sum + size, 0);
    due.clear();
    const workerFile = findWorker();
    if (workerFile === null || bytes > process.availableMemory() * MEMORY_SHARE_MAX) return;
    const task: EmitTask = { kind: 'read', paths };
    startAside(workerFile, task)?.unref();
  }, AFTER_BUILD_MS);
  timer.unref();
};

/** One that is gone, or cannot be read, is passed by. */
export const readWhole = (path: string): void => {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    while (readSync(descriptor, chunk) > 0);
  } catch {
    // Who needs its bytes hears of it.
  } finally {
    closeSync(descriptor);
  }
};
