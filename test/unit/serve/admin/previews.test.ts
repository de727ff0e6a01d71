// A preview whose templates take too long is given up, for those that wait behind it.
import { writeFileSync } from 'node:fs';
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
  const asked = [1, 2].map(() => previews.html({ type: 'post', id, isUngated: true }));
  const failed = await Promise.allSettled(asked);
  expect(failed.map((one) => 'reason' in one && one.reason.code)).toEqual([
    'PREVIEW_FAILED',
    'PREVIEW_FAILED',
  ]);
});
