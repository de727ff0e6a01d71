// The rest of the truth table through a running server, tags and members; and what the admin interface
// answers about deliveries.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../src/delivery/event-names.ts';
import { loadDriver, type SqliteConnection } from '../../src/sqlite/driver.ts';
import { type Listener, listenForDeliveries } from '../battery/listener.ts';
import { queuedDeliveries, untilDelivered } from '../battery/outbox-state.ts';
import { type Server, startServer } from '../battery/server.ts';
import { eventually } from '../helpers/eventually.ts';
import { insertRow } from '../helpers/publication.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const folder = suiteFolder();
let server: Server;
let shell: SqliteConnection;
let listener: Listener;
const webhooks = new Map<string, string>();

beforeAll(async () => {
  await prepress(folder.path, ['init', '--empty', '--site-url', 'https://site.test']);
  server = await startServer(folder.path);
  shell = new (loadDriver())(`${folder.path}/data/publication.db`, { timeout: 60_000 });
  shell.pragma('foreign_keys = ON');
  listener = await listenForDeliveries();
  for (const event of EVENT_NAMES) webhooks.set(event, await listener.subscribe(server, event));
});

afterAll(async () => {
  shell.close();
  await server.end();
  await listener.close();
  folder.remove();
});

/** Events of what `work` does, without site.changed: a tag without posts reaches no byte. */
const eventsOf = async (work: () => unknown): Promise<string[]> => {
  const skip = queuedDeliveries(shell).length;
  await work();
  await untilDelivered(shell);
  return queuedDeliveries(shell, skip)
    .map(({ event }) => event)
    .filter((event) => event !== 'site.changed');
};

const save = async (root: string, id: string | null, fields: object): Promise<string> => {
  const method = id === null ? 'POST' : 'PUT';
  const path = id === null ? `/${root}/` : `/${root}/${id}/`;
  return (await server.admin(method, path, { [root]: [fields] }))[root][0].id;
};
const run = (statement: string, ...values: unknown[]) => shell.prepare(statement).run(...values);

test('tags: added, edited, not changed, deleted, by the admin interface and by SQL', async () => {
  const made = { id: '' };
  const create = async () => {
    made.id = await save('tags', null, { name: 'By admin' });
  };
  expect(await eventsOf(create)).toEqual(['tag.added']);
  const edit = () => save('tags', made.id, { name: 'Other' });
  expect(await eventsOf(edit)).toEqual(['tag.edited']);
  expect(await eventsOf(edit)).toEqual([]);
  expect(await eventsOf(() => server.admin('DELETE', `/tags/${made.id}/`))).toEqual([
    'tag.deleted',
  ]);
  expect(await eventsOf(() => insertRow(shell, 'tags', { id: made.id }))).toEqual(['tag.added']);
  const rename = () => run("UPDATE tags SET name = 'Other' WHERE id = ?", made.id);
  expect(await eventsOf(rename)).toEqual(['tag.edited']);
  expect(await eventsOf(rename)).toEqual([]);
  const remove = () => run('DELETE FROM tags WHERE id = ?', made.id);
  expect(await eventsOf(remove)).toEqual(['tag.deleted']);
});

test('members: added, edited, labelled, not changed, deleted, in both ways', async () => {
  const made = { id: '' };
  const create = async () => {
    made.id = await save('members', null, { email: 'ann@example.com', name: 'Ann' });
  };
  expect(await eventsOf(create)).toEqual(['member.added']);
  const edit = () => save('members', made.id, { name: 'Bea' });
  expect(await eventsOf(edit)).toEqual(['member.edited']);
  expect(await eventsOf(edit)).toEqual([]);
  const label = () => save('members', made.id, { labels: [{ name: 'VIP' }] });
  expect(await eventsOf(label)).toEqual(['member.edited']);
  const rename = () => run("UPDATE members SET name = 'Cleo' WHERE id = ?", made.id);
  expect(await eventsOf(rename)).toEqual(['member.edited']);
  expect(await eventsOf(rename)).toEqual([]);
  expect(await eventsOf(() => server.admin('DELETE', `/members/${made.id}/`))).toEqual([
    'member.deleted',
  ]);
  expect(await eventsOf(() => insertRow(shell, 'members', { id: made.id }))).toEqual([
    'member.added',
  ]);
  expect(await eventsOf(() => run('DELETE FROM members WHERE id = ?', made.id))).toEqual([
    'member.deleted',
  ]);
  expect(listener.faults).toEqual([]);
});

test('deliveries are listed, sent again and tested through the admin interface', async () => {
  const id = webhooks.get('site.changed') ?? '';
  const { deliveries: tests } = await server.admin('POST', `/webhooks/${id}/test/`);
  const came = (delivery: string) => listener.received.filter((one) => one.id === delivery);
  await eventually(() => expect(came(tests[0].id)).toHaveLength(1));
  await untilDelivered(shell);
  const { deliveries } = await server.admin('GET', `/deliveries/?webhook_id=${id}`);
  expect(deliveries[0]).toMatchObject({
    id: tests[0].id,
    event: 'webhook.test',
    state: 'done',
    attempts: [{ number: 1, status: 200, error: null }],
  });
  expect(JSON.stringify(deliveries)).not.toMatch(/secret|whsec_|payload/);
  const [newest] = queuedDeliveries(shell).slice(-2);
  await server.admin('POST', `/deliveries/${newest?.id}/redeliver/`);
  await eventually(() => expect(came(newest?.id ?? '')).toHaveLength(2));
  expect((await server.ask('GET', `/webhooks/${id}/`)).status).toBe(404);
  expect((await server.ask('POST', `/deliveries/${'0'.repeat(24)}/redeliver/`)).status).toBe(404);
});
