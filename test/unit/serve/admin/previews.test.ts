// A preview whose templates take too long is given up, for those that wait behind it; and one that is asked for again and
// again fills no line.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPreviews } from '../../../../src/serve/admin/posts/previews.ts';
import { testConfig } from '../../../helpers/tree.ts';
import { createHarness } from './harness.ts';

/** Answers much later than it may. */
const LATE = `const { parentPort } = require('node:worker_threads');
parentPort.postMessage({ answer: null });
parentPort.once('message', () => setTimeout(() => parentPort.postMessage({ answer: 'Late.' }), 5000));`;

test('a page that is rendered for too long is refused, and so is one that waits behind it', async () => {
  const { context, insert, folder } = await createHarness();
  const id = insert('posts', { title: 'Endless' });
  const workerFile = join(folder, 'endless.js');
  writeFileSync(workerFile, LATE);
  const config = testConfig({ output: join(folder, 'output') });
  const previews = createPreviews({ config, context }, { workerFile, timeMs: 50 });
  const asked = [true, false].map((isUngated) => previews.html({ type: 'post', id, isUngated }));
  const failed = await Promise.allSettled(asked);
  expect(failed.map((one) => 'reason' in one && one.reason.code)).toEqual([
    'PREVIEW_FAILED',
    'PREVIEW_FAILED',
  ]);
});

test('who asks for a page that waits to be rendered shares it', async () => {
  const { context, insert, folder } = await createHarness();
  const id = insert('posts', { title: 'Asked for' });
  const [workerFile, log] = [join(folder, 'worker.js'), join(folder, 'log')];
  writeFileSync(
    workerFile,
    `const { parentPort } = require('node:worker_threads');
    parentPort.postMessage({ answer: null });
    parentPort.once('message', ({ page }) => {
      require('node:fs').appendFileSync(${JSON.stringify(log)}, page.record.access + ' ');
      parentPort.postMessage({ answer: page.record.title });
    });`,
  );
  const config = testConfig({ output: join(folder, 'output') });
  const previews = createPreviews({ config, context }, { workerFile, timeMs: 60_000 });
  const ask = (isUngated: boolean) => previews.html({ type: 'post', id, isUngated });
  const asked = Array.from({ length: 6 }, (_, at) => ask(at % 2 === 0));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['Asked for']));
  expect(readFileSync(log, 'utf8')).toBe('true true ');
  expect(await ask(true)).toBe('Asked for');
  expect(readFileSync(log, 'utf8')).toBe('true true true ');
});
