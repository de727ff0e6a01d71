// Webhooks of a publication in PostgreSQL: each server sends, none what another one sends, and what a killed server had under
// way is sent again when its lease is over.
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/publication/store/open-store.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { claimDue } from '../../src/publication/store/webhooks/deliveries.ts';
import { queueEvents } from '../../src/publication/store/webhooks/outbox.ts';
import { insertWebhook } from '../../src/publication/store/webhooks/webhooks.ts';
import { eventually } from '../helpers/eventually.ts';
import { plannedEvent } from '../helpers/outbox.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describePostgres } from './postgres-process.ts';
import { postgresSites } from './postgres-sites.ts';

const WEBHOOKS = 12;
/** To one host. */
const AT_ONCE = 4;

const secretSealed = Buffer.alloc(1);

describePostgres((server, suiteFolder) => {
  const { moved, start, save } = postgresSites(server, suiteFolder);

  test('a delivery is claimed by no clock before it is due, and a lease goes on whatever clocks say', async () => {
    const address = await server.create();
    const open = async (): Promise<Store> => {
      const path = join(temporaryFolder(), 'replica.db');
      const store = await openStore(path, { postgres: { address, isReader: false }, create: true });
      onTestFinished(store.close);
      return store;
    };
    const [one, other] = [await open(), await open()] as const;
    const webhook = { event: 'post.published', targetUrl: 'http://127.0.0.1:1/', secretSealed };
    const { id: webhookId } = await one.write((tx) => insertWebhook(tx, webhook, Date.now()));
    const hourMs = 3_600_000;
    const queue = (number: number, now: number) =>
      one.write((tx) => queueEvents(tx, [plannedEvent(webhook.event, number)], { now }));
    await queue(1, Date.now() - 1);
    await queue(2, Date.now() + hourMs / 2);
    await other.servers.becomeCurrent();
    const claim = async (store: Store, aheadMs: number): Promise<number> => {
      const clock = { now: () => Date.now() + aheadMs };
      const picks = [{ webhookId, limit: 9 }];
      return (await claimDue({ store, clock }, { owner: 'x', picks, except: [] })).length;
    };
    const claimed = [await claim(one, -hourMs), await claim(one, 0), await claim(other, hourMs)];
    expect([...claimed, await claim(other, -hourMs)]).toEqual([0, 1, 0, 0]);
  });

  test('each server sends, and what a killed one had under way is sent again after its lease', async () => {
    const address = await moved();
    const [leader, other] = [await start(address), await start(address)] as const;
    const shell = await server.connect(address);
    onTestFinished(() => shell.end());
    const receiver = await startReceiver();
    const held: ServerResponse[] = [];
    receiver.answer = (response) => void held.push(response);
    const answer = (response: ServerResponse) => void response.writeHead(200).end('ok');
    const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    for (let n = 0; n < WEBHOOKS; n += 1) {
      const target_url = `${receiver.url}/${n}`;
      await leader.admin('POST', '/webhooks/', {
        webhooks: [{ event: 'post.published', target_url, name: `w${n}` }],
      });
    }
    const ownedBy = async (pid: number): Promise<string[]> => {
      const { rows } = await shell.query(
        `SELECT id FROM deliveries WHERE state = 'pending' AND split_part(lease_owner, '/', 2) = $1 ORDER BY id`,
        [String(pid)],
      );
      return rows.map(({ id }) => id);
    };

    await save(other, { title: 'One', status: 'published' });
    await eventually(() => expect(new Set(idsOf()).size).toBe(2 * AT_ONCE), 'both servers send');
    const killed = await ownedBy(leader.pid);
    expect([killed.length, (await ownedBy(other.pid)).length]).toEqual([AT_ONCE, AT_ONCE]);
    await leader.end('SIGKILL');
    receiver.answer = answer;
    for (const response of held) answer(response);
    // The one that is left looks for deliveries again and again meanwhile, and takes none whose lease goes on.
    const inHalfAMinute = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 30000';
    await save(other, { title: 'Two', status: 'published' });
    await eventually(async () => {
      await shell.query(`UPDATE deliveries SET lease_until = ${inHalfAMinute} WHERE id = ANY($1)`, [
        killed,
      ]);
      expect(new Set(idsOf()).size).toBe(2 * WEBHOOKS);
    }, 500);
    expect(idsOf().length).toBe(2 * WEBHOOKS);
    expect(await ownedBy(leader.pid)).toEqual(killed);
    await shell.query(
      "UPDATE deliveries SET lease_until = lease_until - 60000 WHERE state = 'pending'",
    );
    await eventually(async () => {
      const { rows } = await shell.query('SELECT DISTINCT state FROM deliveries');
      expect(rows).toEqual([{ state: 'done' }]);
    });
    const twice = idsOf().filter((id, at, ids) => ids.indexOf(id) !== at);
    expect(twice.sort()).toEqual(killed);
  });
});
