// Large lists of a program that stays open are read again after the build. Seen by the time of the last reading, which a
// file system may not keep.
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BLOCK_BYTES } from '../../../src/emit/direct-file.ts';
import { type LargeList, readAgain, readWhole, takeIfLarge } from '../../../src/emit/read-again.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const WORKER = join(import.meta.dirname, '../../../dist/emit-worker.js');

const LONG_AGO = new Date('2001-02-03T04:05:06Z');

const makeFile = (path: string, size: number): void => {
  writeFileSync(path, Buffer.alloc(size));
  utimesSync(path, LONG_AGO, LONG_AGO);
};

const isRead = (path: string): boolean => statSync(path).atimeMs > LONG_AGO.getTime();

const keepsTimes = (folder: string): boolean => {
  const path = join(folder, 'file');
  makeFile(path, 1);
  readFileSync(path);
  return isRead(path);
};

const skip = existsSync(WORKER) ? false : 'dist/emit-worker.js is absent: npm run bundle makes it';

test.skipIf(skip)('large lists are read again, others are not', async (context) => {
  const folder = temporaryFolder();
  context.skip(!keepsTimes(folder), 'the file system keeps no times of reading');
  const large = join(folder, 'large');
  const small = join(folder, 'small');
  makeFile(large, BLOCK_BYTES);
  makeFile(small, BLOCK_BYTES - 1);
  const lists: LargeList[] = [];
  takeIfLarge(lists, { path: large, size: BLOCK_BYTES });
  takeIfLarge(lists, { path: small, size: BLOCK_BYTES - 1 });
  // The second follows soon: both are read then.
  readAgain([{ path: join(folder, 'gone'), size: BLOCK_BYTES }, ...lists], () => WORKER);
  readAgain([{ path: join(folder, 'gone too'), size: BLOCK_BYTES }], () => WORKER);
  expect(isRead(large)).toBe(false);
  await eventually(() => expect(isRead(large)).toBe(true));
  expect(isRead(small)).toBe(false);
});

test.skipIf(skip)('what memory could not hold is not read', async (context) => {
  const folder = temporaryFolder();
  context.skip(!keepsTimes(folder), 'the file system keeps no times of reading');
  const path = join(folder, 'large');
  makeFile(path, BLOCK_BYTES);
  for (const [size, worker] of [
    [Number.MAX_SAFE_INTEGER, WORKER],
    [BLOCK_BYTES, null],
  ] as const) {
    readAgain([{ path, size }], () => worker);
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  expect(isRead(path)).toBe(false);
  readWhole(path);
  expect(isRead(path)).toBe(true);
});
