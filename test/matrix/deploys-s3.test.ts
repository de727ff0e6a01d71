// The setting deploy with a bucket of a real store, which cannot be reached for a while.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ShownDeploy } from '../../src/publish/after-build/deploy-states.ts';
import { createS3Target } from '../../src/publish/deploy/s3/target.ts';
import { untilAnnounced, untilDelivered } from '../battery/outbox-state.ts';
import { eventually } from '../helpers/eventually.ts';
import { listenForDeliveries } from '../helpers/receiver.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree.ts';
import { BUCKET, STORE_ENVIRONMENT, startGate, startStore } from './s3-store.ts';

test('a bucket that cannot be reached for a while gets every publish, and webhooks wait for it', async () => {
  const folder = temporaryFolder();
  const store = await startStore(join(folder, 'store'));
  onTestFinished(store.end);
  const way = await startGate(store.endpoint);
  way.isOpen = false;
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  await prepress(folder, ['build']);
  const deploy = { target: `s3://${BUCKET}/live`, endpoint: way.endpoint, region: 'us-east-1' };
  writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy }));
  const shell = openShell(folder);
  const server = await serve(folder, { environment: STORE_ENVIRONMENT });
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  await listener.subscribe(server as never, 'site.changed');
  const state = async (): Promise<ShownDeploy | undefined> => {
    const answer = (await server.admin('GET', '/state/')) as { state: { deploys: ShownDeploy[] } };
    return answer.state.deploys[0];
  };
  shell.prepare("UPDATE posts SET title = 'One' WHERE status = 'published'").run();
  await untilAnnounced(shell);
  await eventually(async () => {
    expect(await state()).toMatchObject({
      target: `s3://${BUCKET}/live at ${way.endpoint}`,
      state: 'failing',
      lastError: { code: 'DEPLOY_FAILED', message: expect.stringContaining('The bucket site at') },
    });
  });
  expect(listener.received).toHaveLength(0);
  way.isOpen = true;
  await untilDelivered(shell);
  expect(listener.received).toHaveLength(1);
  // What is announced is there; a look for more may follow.
  await eventually(async () => {
    expect(await state()).toMatchObject({ state: 'there', failures: 0, lastError: null });
  });
  shell
    .prepare(
      "UPDATE posts SET title = 'Two' WHERE slug = (SELECT min(slug) FROM posts WHERE type = 'post' AND status = 'published')",
    )
    .run();
  await untilDelivered(shell);
  expect(listener.received).toHaveLength(2);
  Object.assign(process.env, STORE_ENVIRONMENT);
  const bucket = createS3Target({ bucket: BUCKET, prefix: 'live', endpoint: store.endpoint });
  onTestFinished(() => bucket.close());
  const there = await bucket.list();
  const here = readTree(join(folder, 'output'));
  expect([...there.keys()].sort()).toEqual([...here.keys()].sort());
  const carried = [...server.log().matchAll(/"written":(\d+),"removed":\d+,"msg":"deployed"/g)];
  const counts = carried.map(([, written]) => Number(written));
  expect(counts[0]).toBeGreaterThan(here.size / 2);
  expect(counts.at(-1)).toBeLessThan(here.size / 2);
  for (const said of [server.log(), await prepress(folder, ['status'])]) {
    expect(said).not.toContain(STORE_ENVIRONMENT.AWS_SECRET_ACCESS_KEY);
  }
});
