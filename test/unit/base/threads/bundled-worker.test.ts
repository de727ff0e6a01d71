import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  findBundledWorker,
  startAll,
  startAside,
} from '../../../../src/base/threads/bundled-worker.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

test('a worker is found in a folder of any name, and only where it is', () => {
  const folder = join(temporaryFolder(), 'my site #1 100%');
  mkdirSync(folder);
  const file = join(folder, 'render-worker.js');
  writeFileSync(file, '');
  const place = pathToFileURL(join(folder, 'program.js')).href;
  expect(findBundledWorker('render-worker', place)).toBe(file);
  expect(findBundledWorker('emit-worker', place)).toBeNull();
});

test('where one thread cannot be started, the others end', () => {
  const ended: number[] = [];
  const start = (at: number): number => {
    if (at === 2) throw new Error('No further thread.');
    return at;
  };
  expect(() => startAll(4, start, (at) => ended.push(at))).toThrow('No further thread.');
  expect(ended).toEqual([0, 1]);
  expect(startAll(2, start, (at) => ended.push(at))).toEqual([0, 1]);
  expect(ended).toHaveLength(2);
});

test('a thread beside the work fails unheard', async () => {
  const file = join(temporaryFolder(), 'failing.js');
  writeFileSync(file, "throw new Error('It fails.');");
  const worker = startAside(file, null);
  if (worker === undefined) throw new Error('It was not started.');
  expect(await new Promise((resolve) => worker.on('exit', resolve))).toBe(1);
  // What cannot be sent to it stands for a system that gives no further thread.
  expect(startAside(file, () => undefined)).toBeUndefined();
});
