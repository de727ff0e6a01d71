// Threads are started before a command is loaded only where many records will surely be rendered.
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEarlyThreads } from '../../../src/cli/early-threads.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { testConfig } from '../../helpers/tree.ts';

const WORKER = join(import.meta.dirname, '../../../dist/render-worker.js');
const skip = existsSync(WORKER)
  ? false
  : 'dist/render-worker.js is absent: npm run bundle makes it';
const LARGE = 9 * 1024 * 1024;

type Given = { readonly bytes?: number; readonly isBuilt?: boolean; readonly full?: boolean };

const start = ({ bytes = LARGE, isBuilt = false, full = false }: Given) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const database = join(folder, 'data/publication.db');
  writeFileSync(database, '');
  truncateSync(database, bytes);
  if (isBuilt) writeFileSync(join(folder, 'data/build.db'), '');
  const config = testConfig({ database, output: join(folder, 'output') });
  const threads = startEarlyThreads({ config, options: { full } }, WORKER);
  onTestFinished(threads.close);
  return threads;
};

test.skipIf(skip)('a large publication has them for a first build and for a full one', async () => {
  for (const given of [{}, { isBuilt: true, full: true }]) {
    const { take, close } = start(given);
    const lines = take();
    expect(lines?.lines.length).toBeGreaterThan(0);
    expect(take()).toBeNull();
    await close();
    // Whoever took them closes them.
    expect(await lines?.lines[0]?.ask({ kind: 'hello' })).toEqual({ kind: 'ready' });
    await lines?.close();
  }
});

test.skipIf(skip)('a small one, and one that is built, have none', () => {
  for (const given of [{ bytes: 1024 }, { isBuilt: true }]) expect(start(given).take()).toBeNull();
});

test.skipIf(skip)('those that nobody took are ended', async () => {
  const { take, close } = start({});
  await close();
  expect(take()).toBeNull();
});

test.skipIf(skip)('a database that cannot be looked at is left to who opens it', () => {
  const folder = temporaryFolder();
  symlinkSync('publication.db', join(folder, 'publication.db'));
  const config = testConfig({ database: join(folder, 'publication.db') });
  expect(startEarlyThreads({ config, options: { full: true } }, WORKER).take()).toBeNull();
});

test('without the bundled worker there are none', () => {
  const config = testConfig({ database: join(temporaryFolder(), 'publication.db') });
  expect(startEarlyThreads({ config, options: { full: true } }, null).take()).toBeNull();
});
