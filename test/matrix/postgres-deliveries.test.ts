// Webhooks of a publication in PostgreSQL: each server sends, none what another one sends, and what a killed server had under
// way is sent again when its lease is over.
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { describePostgres } from './postgres-process.ts';
import { postgresSites } from './postgres-sites.ts';

const WEBHOOKS = 12;
/** To one host. */
const AT_ONCE = 4;

describePostgres((server, suiteFolder) => {
  const { moved, start, save } = postgresSites(server, suiteFolder);

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
