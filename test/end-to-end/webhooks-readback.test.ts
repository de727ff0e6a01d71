// The setting readback, through the built command and a site that gives old bytes for a while.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PUBLISHED, startCdn } from '../battery/checks/read-back.ts';
import { untilAnnounced, untilDelivered } from '../battery/outbox-state.ts';
import { startServer } from '../battery/server.ts';
import { eventually } from '../helpers/eventually.ts';
import { listenForDeliveries } from '../helpers/receiver.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { copyPublication, openShell } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test']);
  await prepress(suite.path, ['build']);
});
afterAll(suite.remove);

test('no delivery leaves before the public bytes are the new ones, also when the server was killed meanwhile', async () => {
  const folder = copyPublication(suite.path);
  const cdn = await startCdn(folder);
  const shell = openShell(folder);
  const environment = { PREPRESS_READBACK: cdn.url };
  const first = await startServer(folder, { environment });
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  await listener.subscribe(first, 'site.changed');
  const id = shell.prepare(PUBLISHED).pluck().get();
  shell.prepare("UPDATE posts SET title = 'New' WHERE id = ?").run(id);
  await untilAnnounced(shell);
  await first.end('SIGKILL');
  const second = await startServer(folder, { environment });
  onTestFinished(() => second.end('SIGKILL'));
  // It has read old bytes, and asks again; a delivery that does not wait would come in place of that.
  const asked = cdn.asked.length;
  const isGoingOn = (): boolean => {
    const paths = cdn.asked.slice(asked);
    return new Set(paths).size < paths.length || listener.received.length > 0;
  };
  await eventually(() => expect(isGoingOn(), 'asked again, or delivered').toBe(true));
  expect(listener.received).toHaveLength(0);
  const fresh = cdn.refresh();
  await untilDelivered(shell);
  expect(listener.received.map(({ at }) => at >= fresh)).toEqual([true]);
});
