import { expect, test } from 'vitest';
import { createWebhookHold } from '../../../../src/publish/cycle/webhook-hold.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { createOutbox } from '../../../helpers/outbox.ts';
import { testConfig } from '../../../helpers/tree.ts';

test('a gate that fails is told, and opened by the next try', async () => {
  const { clock, deliveries, folder, queue, shell, store, subscribe } = await createOutbox();
  await subscribe('https://example.com/hook');
  await queue(1);
  shell.prepare('UPDATE deliveries SET held_until = ?').run(clock.now() + 3_600_000);
  const failures: unknown[] = [];
  const opened: number[] = [];
  const fault = new Error('The disk is full.');
  const manifest = openManifest(`${folder}/build.db`, {});
  const gate = createWebhookHold({
    ...{ store, manifest, clock, retryMs: 1 },
    config: testConfig(),
    whenThere: async () => {
      if (failures.length === 0) throw fault;
      return [];
    },
    onOpened: ({ generation }) => opened.push(generation),
    onSilent: () => undefined,
    onFailed: (error) => failures.push(error),
  });
  await gate.wake();
  await eventually(() => expect(opened).toHaveLength(1));
  expect(failures).toEqual([fault]);
  expect(deliveries()).toMatchObject([{ held_until: null }]);
  await gate.close();
  manifest.close();
});
