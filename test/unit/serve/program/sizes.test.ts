// The maker of sizes beside a server: nothing that goes wrong with it reaches anybody else, and it tries again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../../../src/base/sqlite/connection.ts';
import { describeSizes } from '../../../../src/publish/sizes/make-sizes.ts';
import { indexFileOf } from '../../../../src/publish/sizes/sizes-index.ts';
import { createSizeMaker } from '../../../../src/serve/program/sizes.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { SIZE_WORKER, skipSizes } from '../../../helpers/pictures.ts';
import { createSizesSite, LIVE } from '../../../helpers/sizes-site.ts';

const startMaker = async () => {
  const site = await createSizesSite();
  await site.put('a.jpg', 400);
  site.insert('posts', { ...LIVE, html: '<img src="/content/images/a.jpg">' });
  await site.publish();
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  const workerFile = join(site.folder, 'worker.mjs');
  const options = { logger, workerFile, retryMs: 1, onPlaced: () => undefined };
  const maker = createSizeMaker(site.deps, options);
  onTestFinished(maker.close);
  return { ...site, maker, lines, workerFile };
};

describe.skipIf(skipSizes)('the maker of sizes', () => {
  test('an upload is kept while another program holds the index', async () => {
    const { deps, put, maker, lines } = await startMaker();
    await put('b.jpg', 400);
    const other = openConnection(indexFileOf(deps.paths.sizes));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(() => maker.uploaded('images/b.jpg')).not.toThrow();
    expect(lines.join('')).toContain('waits for a record');
  });

  test('it ends while a picture is being made, which waits for the next run', async () => {
    const { deps, maker, folder, workerFile } = await startMaker();
    const asked = join(folder, 'asked');
    writeFileSync(
      workerFile,
      `import { writeFileSync } from 'node:fs';
      process.on('message', () => writeFileSync(${JSON.stringify(asked)}, String(process.pid)));
      process.send({ isReady: true });`,
    );
    maker.wake();
    const pid = await eventually(() => {
      expect(existsSync(asked) && readFileSync(asked, 'utf8')).toMatch(/\d/);
      return Number(readFileSync(asked, 'utf8'));
    });
    const isRunning = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    onTestFinished(() => void (isRunning() && process.kill(pid)));
    const closing = maker.close();
    await eventually(() => expect(isRunning()).toBe(false));
    await closing;
    expect(describeSizes(deps)).toMatchObject({ waiting: 1, problem: null, faults: [] });
  });

  test('what could not start is tried again', async () => {
    const { deps, maker, lines, workerFile } = await startMaker();
    maker.wake();
    await eventually(() => expect(lines.join('')).toContain('cannot start'));
    expect(describeSizes(deps).waiting).toBe(1);
    writeFileSync(workerFile, `import ${JSON.stringify(SIZE_WORKER)};`);
    const made = { made: 2, waiting: 0, problem: null };
    await eventually(() => expect(describeSizes(deps)).toMatchObject(made));
  });
});
