import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { dataPathsOf } from '../../../src/publisher/paths.ts';
import { startPublisher } from '../../../src/publisher/publisher.ts';
import { openManifest } from '../../../src/store/sqlite/manifest-db.ts';
import { createPublication } from '../../helpers/publication.ts';
import { testConfig } from '../../helpers/tree.ts';

const AN_HOUR_MS = 3_600_000;

test('a commit during a turn that fails is built at once, not after the wait for the retry', async () => {
  const { folder, store, shell, insert } = await createPublication();
  const config = testConfig({
    database: join(folder, 'publication.db'),
    output: join(folder, 'output'),
  });
  const paths = dataPathsOf(config);
  const manifest = openManifest(paths.manifest);
  onTestFinished(() => manifest.close());
  insert('posts', { status: 'published', published_at: '2026-01-01', updated_at: 'no time' });
  const failures: unknown[] = [];
  const mendingStore = {
    ...store,
    snapshot: (shownUntil?: number) => {
      const snapshot = store.snapshot(shownUntil);
      snapshot.position();
      shell.exec('UPDATE posts SET updated_at = NULL');
      return snapshot;
    },
  };
  await new Promise<void>((resolve) => {
    const publisher = startPublisher(
      { config, paths, store: mendingStore, manifest, clock: systemClock },
      { onPublished: () => resolve(), onFailed: (error) => failures.push(error) },
      { retryMs: AN_HOUR_MS },
    );
    onTestFinished(() => publisher.close());
  });
  expect(failures).toMatchObject([{ code: 'BUILD_INPUT_INVALID' }]);
});
