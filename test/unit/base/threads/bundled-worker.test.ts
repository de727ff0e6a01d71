import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { findBundledWorker } from '../../../../src/base/threads/bundled-worker.ts';
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
