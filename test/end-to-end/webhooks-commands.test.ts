// prepress webhooks ... without a server, and the mail to the owner when a webhook is disabled.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { listenForDeliveries } from '../battery/listener.ts';
import { startServer } from '../battery/server.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ENVIRONMENT = {
  PREPRESS_WEBHOOK_ALLOW: '127.0.0.1',
  PREPRESS_OWNER_EMAIL: 'owner@site.test',
};

test('webhooks are tested, looked at, sent again, rotated, and disabled', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--empty', '--site-url', 'https://site.test']);
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  const server = await startServer(folder);
  const id = await listener.subscribe(server, 'post.published', '/hook?token=s3cret');
  expect((await server.ask('GET', `/webhooks/${id}/`)).status).toBe(404);
  // The server runs, so it delivers; the command, which may not reach the receiver, tells what became of it.
  expect(JSON.parse(await prepress(folder, ['webhooks', 'test', id, '--json']))).toMatchObject({
    state: 'done',
  });
  await server.end();

  const run = async (...args: string[]): Promise<Outcome> => {
    const all = ['webhooks', ...args, '--json'];
    const { code, stdout } = await runPrepress(folder, all, { environment: ENVIRONMENT });
    return { ...(JSON.parse(stdout) as Outcome), code };
  };
  expect(await run('test', id)).toMatchObject({ code: 0, state: 'done' });
  expect(listener.received.map(({ body }) => body.event)).toEqual(['webhook.test', 'webhook.test']);

  const shell = openShell(folder);
  listener.respond = (response) => response.writeHead(500).end('sorry');
  const post = insertRow(shell, 'posts', { slug: 'told' });
  await prepress(folder, ['publish', 'told'], { environment: ENVIRONMENT });
  const { deliveries = [] } = await run('deliveries', '--failed');
  expect(deliveries).toMatchObject([
    { event: 'post.published', recordId: post, attempts: [{ status: 500, response: 'sorry' }] },
  ]);
  expect(JSON.stringify(deliveries)).not.toMatch(/s3cret|whsec_/);

  listener.respond = (response) => response.writeHead(200).end();
  const again = await run('redeliver', deliveries[0]?.id ?? '');
  expect(again).toMatchObject({ code: 0, redelivered: 1, tried: { succeeded: 1 } });
  expect(listener.received.map((one) => one.id).slice(-2)).toEqual([
    deliveries[0]?.id,
    deliveries[0]?.id,
  ]);

  const { secret = '' } = await run('rotate', id);
  expect(new Webhook(secret)).toBeTruthy();
  listener.ghostSecret = secret;
  await run('test', id);
  expect(listener.faults).toEqual([]);

  listener.respond = (response) => response.writeHead(410).end();
  expect(await run('test', id)).toMatchObject({ code: 1, state: 'failed' });
  const mails = readdirSync(join(folder, 'data/mail'));
  expect(mails).toHaveLength(1);
  const mail = readFileSync(join(folder, 'data/mail', mails[0] ?? ''), 'utf8');
  expect(mail).toContain('owner@site.test');
  expect(mail).toContain(id);
  expect(mail).not.toMatch(/s3cret|whsec_/);
  const status = shell.prepare('SELECT status FROM webhooks WHERE id = ?').pluck().get(id);
  expect(status).toBe('disabled');
});

type Outcome = {
  readonly code: number | null;
  readonly deliveries?: readonly { readonly id: string }[];
  readonly secret?: string;
};
