// Webhooks through a running server: the life of a record, written through the admin interface or through plain SQL,
// noticed by the publisher's own loop and sent to a real receiver that verifies both signatures; what the admin interface,
// the metrics and the commands tell of deliveries. The whole truth table is in test/unit/delivery.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { EVENT_NAMES } from '../../src/publish/webhooks/events/event-names.ts';
import { queuedDeliveries, untilDelivered } from '../battery/outbox-state.ts';
import { type Server, startServer } from '../battery/server.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Listener, listenForDeliveries } from '../helpers/receiver.ts';
import { insertRow } from '../helpers/rows.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { parseScrape } from '../helpers/scrape.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const LATER = '2037-05-05T10:00:00.000Z';

const suite = suiteFolder();
let server: Server;
let shell: SqliteConnection;
let listener: Listener;
const webhooks = new Map<string, string>();

beforeAll(async () => {
  await prepress(suite.path, ['init', '--empty', '--site-url', 'https://site.test']);
  server = await startServer(suite.path, { environment: { PREPRESS_METRICS: '127.0.0.1:0' } });
  shell = new (loadDriver())(join(suite.path, 'data/publication.db'), { timeout: 60_000 });
  shell.pragma('foreign_keys = ON');
  listener = await listenForDeliveries();
  for (const event of EVENT_NAMES) webhooks.set(event, await listener.subscribe(server, event));
});

afterAll(async () => {
  shell.close();
  await server.end();
  await listener.close();
  suite.remove();
});

/** Events of what `work` does, in their order; each came once, signed, and says its name and generation. */
const eventsOf = async (work: () => unknown): Promise<string[]> => {
  const skip = queuedDeliveries(shell).length;
  await work();
  await untilDelivered(shell);
  const queued = queuedDeliveries(shell, skip);
  const received = listener.received.filter(({ id }) => queued.some((one) => one.id === id));
  expect(received.map(({ id }) => id).sort()).toEqual(queued.map(({ id }) => id).sort());
  for (const { id, event, generation } of queued) {
    expect(received.find((one) => one.id === id)?.body).toMatchObject({ event, generation });
  }
  expect(listener.faults).toEqual([]);
  // Whether a change reaches a byte is asked elsewhere.
  return queued.map(({ event }) => event).filter((event) => event !== 'site.changed');
};

type Save = (root: string, id: string, fields: object | null) => Promise<string>;

/** Creates with no id, deletes with no fields, else edits; returns the id. */
const byAdmin: Save = async (root, id, fields) => {
  const path = id === '' ? `/${root}/` : `/${root}/${id}/`;
  if (fields === null) await server.admin('DELETE', path);
  else {
    const isDated = id !== '' && ['posts', 'pages'].includes(root);
    const read = isDated ? (await server.admin('GET', path))[root][0] : {};
    const body = { [root]: [{ ...(isDated && { updated_at: read.updated_at }), ...fields }] };
    return (await server.admin(id === '' ? 'POST' : 'PUT', path, body))[root][0].id;
  }
  return id;
};

const bySql: Save = async (root, id, fields) => {
  const table = root === 'pages' ? 'posts' : root;
  if (fields === null) shell.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
  else if (id === '') {
    const made = createId();
    const own = { id: made, ...(table === 'posts' && { type: root.slice(0, -1) }) };
    return insertRow(shell, table, { ...own, ...fields });
  } else {
    const sets = Object.keys(fields).map((name) => `${name} = ?`);
    shell
      .prepare(`UPDATE ${table} SET ${sets.join(', ')} WHERE id = ?`)
      .run(...Object.values(fields), id);
  }
  return id;
};

type Step = readonly [fields: object | null, events: readonly string[]];

const LIFE: readonly Step[] = [
  [{ title: 'Old', status: 'draft' }, ['P.added']],
  [{ status: 'scheduled', published_at: LATER }, ['P.scheduled', 'P.edited']],
  [{ status: 'published', published_at: '2026-01-01T10:00:00.000Z' }, ['P.published', 'P.edited']],
  [{ title: 'New' }, ['P.published.edited', 'P.edited']],
  [{ title: 'New' }, []],
  [{ status: 'draft' }, ['P.unpublished', 'P.edited']],
  [null, ['P.deleted']],
];

const namedLife = (first: object): readonly Step[] => [
  [first, ['P.added']],
  [{ name: 'Other' }, ['P.edited']],
  [{ name: 'Other' }, []],
  [null, ['P.deleted']],
];

test.each<[root: string, how: string, save: Save, life: readonly Step[]]>([
  ['posts', 'the admin interface', byAdmin, LIFE],
  ['pages', 'plain SQL', bySql, LIFE],
  ['tags', 'the admin interface', byAdmin, namedLife({ name: 'First' })],
  ['members', 'the admin interface', byAdmin, namedLife({ email: 'ann@example.com' })],
])('the life of one of the %s by %s', async (root, _how, save, life) => {
  let id = '';
  const told: string[][] = [];
  for (const [fields] of life) {
    told.push(
      await eventsOf(async () => {
        id = await save(root, id, fields);
      }),
    );
  }
  expect(told).toEqual(
    life.map(([, events]) => events.map((name) => name.replace('P', root.slice(0, -1)))),
  );
});

test('tags of a post, one of them brand-new, are told in one order; published is not scheduled again', async () => {
  const tag = insertRow(shell, 'tags', { name: 'A', slug: 'a' });
  await untilDelivered(shell);
  let id = '';
  const create = async (): Promise<void> => {
    const tags = [{ id: tag }, { name: 'Brand new' }];
    id = await byAdmin('posts', '', { title: 'T', status: 'published', tags });
  };
  expect(await eventsOf(create)).toEqual([
    'post.added',
    'post.published',
    'post.tag.attached',
    'post.tag.attached',
    'tag.added',
  ]);
  const bulk = { action: 'addTag', meta: { tags: [{ name: 'New in bulk' }] } };
  const tagMany = () => server.admin('PUT', `/posts/bulk/?filter=id:${id}`, { bulk });
  expect(await eventsOf(tagMany)).toEqual(['tag.added']);
  expect(await eventsOf(() => byAdmin('posts', id, { tags: [] }))).toEqual([
    'post.tag.detached',
    'post.published.edited',
    'post.edited',
  ]);
  const fields = { updated_at: null, status: 'scheduled', published_at: LATER };
  const { status, body } = await server.ask('PUT', `/posts/${id}/`, { posts: [fields] });
  expect(status).toBe(422);
  expect(body.errors[0].context ?? body.errors[0].message).toContain('already published');
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

test('builds, deliveries, requests and memory stand in a scrape', async () => {
  await untilDelivered(shell);
  const url = await eventually(() => {
    const [, found] = /"url":"([^"]+)","msg":"metrics"/.exec(server.log()) ?? [];
    if (found === undefined) throw new Error(`No metrics in the log: ${server.log()}`);
    return found;
  });
  const scrape = async () => parseScrape(await (await fetch(url)).text()).value;
  const before = await scrape();
  await listener.subscribe(server, 'post.added', '/down');
  listener.respond = (response, { path }) => response.writeHead(path === '/down' ? 500 : 200).end();
  await byAdmin('posts', '', { title: 'Counted', status: 'published' });
  const grown = {
    'prepress_builds_total{result="changed"}': 1,
    prepress_generation: 1,
    'prepress_delivery_attempts_total{result="failure"}': 1,
    // post.added, post.published and site.changed.
    'prepress_delivery_attempts_total{result="success"}': 3,
    'prepress_deliveries{state="done"}': 3,
    'prepress_deliveries{state="pending"}': 1,
    'prepress_http_requests_total{area="admin",method="POST",code="201"}': 2,
  };
  await eventually(async () => {
    const value = await scrape();
    const growth = Object.keys(grown).map((name) => [
      name,
      (value(name) ?? 0) - (before(name) ?? 0),
    ]);
    expect(Object.fromEntries(growth)).toEqual(grown);
    expect(value('prepress_announced_generation')).toBe(value('prepress_generation'));
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });
});

type Outcome = {
  readonly code: number | null;
  readonly deliveries?: readonly { readonly id: string }[];
  readonly secret?: string;
};

const ENVIRONMENT = {
  PREPRESS_WEBHOOK_ALLOW: '127.0.0.1',
  PREPRESS_OWNER_EMAIL: 'owner@site.test',
};

test('commands test webhooks, list and send deliveries again, rotate secrets, and tell the owner of one that is gone', async () => {
  shell.exec('DELETE FROM webhooks');
  listener.respond = (response) => response.writeHead(200).end();
  const id = await listener.subscribe(server, 'post.published', '/hook?token=s3cret');
  const first = listener.received.length;
  // The server runs, so it delivers; the command, which may not reach the receiver, tells what became of it.
  expect(JSON.parse(await prepress(suite.path, ['webhooks', 'test', id, '--json']))).toMatchObject({
    state: 'done',
  });
  await server.end();

  const run = async (...args: string[]): Promise<Outcome> => {
    const all = ['webhooks', ...args, '--json'];
    const { code, stdout } = await runPrepress(suite.path, all, { environment: ENVIRONMENT });
    return { ...(JSON.parse(stdout) as Outcome), code };
  };
  expect(await run('test', id)).toMatchObject({ code: 0, state: 'done' });
  const came = () => listener.received.slice(first);
  expect(came().map(({ body }) => body.event)).toEqual(['webhook.test', 'webhook.test']);

  listener.respond = (response) => response.writeHead(500).end('sorry');
  const post = insertRow(shell, 'posts', { slug: 'told' });
  await prepress(suite.path, ['publish', 'told'], { environment: ENVIRONMENT });
  const { deliveries = [] } = await run('deliveries', '--failed');
  expect(deliveries).toMatchObject([
    { event: 'post.published', record_id: post, attempts: [{ status: 500, response: 'sorry' }] },
  ]);
  expect(JSON.stringify(deliveries)).not.toMatch(/s3cret|whsec_/);

  listener.respond = (response) => response.writeHead(200).end();
  const [failed] = deliveries;
  const again = await run('redeliver', failed?.id ?? '');
  expect(again).toMatchObject({ code: 0, redelivered: 1, tried: { succeeded: 1 } });
  expect(
    came()
      .slice(-2)
      .map((one) => one.id),
  ).toEqual([failed?.id, failed?.id]);

  const { secret = '' } = await run('rotate', id);
  expect(new Webhook(secret)).toBeTruthy();
  listener.ghostSecret = secret;
  await run('test', id);
  expect(listener.faults).toEqual([]);

  listener.respond = (response) => response.writeHead(410).end();
  expect(await run('test', id)).toMatchObject({ code: 1, state: 'failed' });
  const mails = readdirSync(join(suite.path, 'data/mail'));
  expect(mails).toHaveLength(1);
  const mail = readFileSync(join(suite.path, 'data/mail', mails[0] ?? ''), 'utf8');
  expect(mail).toContain('owner@site.test');
  expect(mail).toContain(id);
  expect(mail).not.toMatch(/s3cret|whsec_/);
  const status = shell.prepare('SELECT status FROM webhooks WHERE id = ?').pluck().get(id);
  expect(status).toBe('disabled');
});
