// The order in which a program that stays open starts its parts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createId } from '../../../../src/base/ids.ts';
import { queueEvents } from '../../../../src/publication/store/webhooks/outbox.ts';
import { joinServers } from '../../../../src/publish/cycle/server-settings.ts';
import type { Following } from '../../../../src/serve/program/following.ts';
import { createPublishing } from '../../../../src/serve/program/publishing.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { createReport } from '../../../../src/serve/workspace/report.ts';
import { openWorkspace, type Workspace } from '../../../../src/serve/workspace/workspace.ts';
import { plannedEvent } from '../../../helpers/outbox.ts';
import { openPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

const NO_FOLLOWING: Following = {
  check: async () => undefined,
  begin: async () => undefined,
  start: () => undefined,
  wake: () => undefined,
  settled: async () => undefined,
  state: () => null,
  close: async () => undefined,
};

const openSite = async () => {
  const folder = temporaryFolder();
  const publication = await openPublication(folder);
  const workspace = await openWorkspace(
    testConfig({
      database: join(folder, 'publication.db'),
      output: join(folder, 'output'),
      deploy: [`dir:${join(folder, 'site')}`],
    }),
  );
  const publish = (
    given: Partial<Workspace>,
    following: Partial<Following> = {},
    { ended = new Promise<void>(() => undefined), isWaiting = false } = {},
  ) => {
    const publishing = createPublishing(
      { ...workspace, ...given },
      {
        logger: createLogger('silent'),
        report: createReport({ json: true }),
        following: { ...NO_FOLLOWING, ...following },
        metrics: null,
        isWaiting,
        ended,
      },
    );
    onTestFinished(async () => {
      await publishing.close();
      await workspace.close();
      await publication.close();
    });
    return publishing.start();
  };
  return { ...publication, workspace, publish };
};

test('the settings are there before others see the server', async () => {
  const { workspace, publish } = await openSite();
  const { paths } = workspace;
  let areThere: boolean | null = null;
  await publish({
    paths: {
      ...paths,
      get delivererLock() {
        areThere = existsSync(paths.serverSettings);
        return paths.delivererLock;
      },
    },
  });
  expect(areThere).toBe(true);
});

test('a program whose newer settings wait keeps no server from having others, and builds nothing beside it', async () => {
  const { workspace, publish } = await openSite();
  const { paths, config, store } = workspace;
  const run = { isWaiting: true };
  expect(await publish({}, {}, run)).not.toBeNull();
  const other = { config: { ...config, permalinks: '/{id}/' }, paths, store };
  const presence = await joinServers(other);
  onTestFinished(presence.release);
  expect(await publish({}, {}, run)).toBeNull();
});

test('the first cycle shows what the source has', async () => {
  const { insert, workspace, publish } = await openSite();
  const begin = async (): Promise<void> => {
    insert('posts', { title: 'Taken', status: 'published', published_at: '2026-01-01' });
  };
  await publish({}, { begin });
  const list = readFileSync(join(workspace.paths.contentFolder, 'posts/index.json'), 'utf8');
  expect(JSON.parse(list).posts).toMatchObject([{ title: 'Taken' }]);
});

test('a program that is to end does not wait for the first cycle', async () => {
  const { publish } = await openSite();
  let go = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  expect(await publish({}, { settled: () => waiting }, { ended: Promise.resolve() })).toBeNull();
  go();
});

test('holds begin anew before the first delivery', async () => {
  const { store, shell, workspace, publish } = await openSite();
  shell
    .prepare(
      `INSERT INTO webhooks (id, event, target_url, secret_sealed, created_at)
       VALUES (?, 'post.published', 'https://x.test/', x'00', 0)`,
    )
    .run(createId());
  const now = Date.now();
  await store.write((writer) =>
    queueEvents(writer, [plannedEvent('post.published', 1)], { now, heldUntil: now - 1 }),
  );
  const heldUntil = shell.prepare('SELECT held_until FROM deliveries').pluck();
  let held: unknown = null;
  await publish({
    createDeliverer: (listeners) => {
      const deliverer = workspace.createDeliverer(listeners);
      const start = async (): Promise<void> => {
        held = heldUntil.get();
        await deliverer.start();
      };
      return { ...deliverer, start };
    },
  });
  expect(held).toBeGreaterThan(now);
});
