// The server killed again and again while posts are saved: a rude receiver, a good one beside it, the whole
// way from the database to the POST. PREPRESS_KILLS, PREPRESS_EVENTS and PREPRESS_SEED shape the run; a
// window without kills follows every ten.

import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { db } from '../../src/publication/store/db.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { uuidOf } from '../helpers/publication.ts';
import { SEED } from '../helpers/random.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { untilAnnounced } from './outbox-state.ts';
import { createRandom, RUDE, type RudeReceiver, startRude } from './rude.ts';
import { killWhileStarting, type Server, startServer } from './server.ts';
import { sized } from './size.ts';

const KILLS = Number(process.env.PREPRESS_KILLS ?? sized({ short: 3, long: 100 }));
const EVENTS = Number(process.env.PREPRESS_EVENTS ?? sized({ short: 30, long: 2_000 }));
const KILLS_BETWEEN_WINDOWS = 10;
const EVENT = 'post.added';
/** What leaves a slot free at once, so that a 410 can come in its time. */
const QUICK = RUDE.filter((name) => name !== 'hang' && name !== 'drip');

type Run = {
  readonly folder: string;
  readonly store: Store;
  readonly shell: SqliteConnection;
  readonly random: () => number;
  readonly good: RudeReceiver;
  readonly rude: RudeReceiver;
  readonly saved: string[];
  /** Longest waits that were seen in windows. */
  readonly slowest: { afterRestartMs: number; afterDueMs: number; disabled: number };
};

/** Each post is one action, as an admin save is; one in ten is published. */
const save = async ({ store, saved }: Run, count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1) {
    const id = createId();
    const status = saved.length % 10 === 0 ? 'published' : 'draft';
    const now = new Date().toISOString();
    const insert = CompiledQuery.raw(
      `INSERT INTO posts (id, uuid, title, slug, status, html, created_at, published_at)
       VALUES (?, ?, 'T', ?, ?, '<p>a</p>', ?, ?)`,
      [id, uuidOf(id), id, status, now, status === 'draft' ? null : '2026-01-01T10:00:00.000Z'],
    );
    await store.write((tx) => db(tx).executeQuery(insert), { action: createId() });
    saved.push(id);
  }
};

const firstCalls = ({ calls }: RudeReceiver): Map<string, number> => {
  const first = new Map<string, number>();
  for (const { id, at } of calls) if (!first.has(id)) first.set(id, at);
  return first;
};

const untilGoodHas = ({ good, saved }: Run): Promise<void> =>
  eventually(() => expect(good.audit().events).toBe(saved.length));

/** No kill: what is due goes out after the restart, and so does what becomes due then; how soon is reported. */
const runWindow = async (run: Run, server: Server, startedAt: number): Promise<void> => {
  const { shell, good, slowest } = run;
  await untilAnnounced(shell);
  await disableAndEnable(run, server);
  await untilGoodHas(run);
  const last = Math.max(0, ...[...firstCalls(good).values()].map((at) => at - startedAt));
  slowest.afterRestartMs = Math.max(slowest.afterRestartMs, last);
  const since = Date.now();
  await save(run, 10);
  await untilAnnounced(shell);
  await untilGoodHas(run);
  const first = firstCalls(good);
  const due = shell.prepare(
    'SELECT d.id, d.created_at AS at FROM deliveries d WHERE d.created_at >= ?',
  );
  for (const { id, at } of due.all(since) as { id: string; at: number }[]) {
    const came = first.get(id);
    if (came !== undefined) slowest.afterDueMs = Math.max(slowest.afterDueMs, came - at);
  }
};

/** 410 while nothing is announced, for a disabled webhook gets no new events; then enabled by a PUT. */
const disableAndEnable = async (run: Run, server: Server): Promise<void> => {
  const { shell, rude, slowest } = run;
  rude.manners = ['gone'];
  await save(run, 1);
  await untilAnnounced(shell);
  const select = shell.prepare(
    `SELECT id, (SELECT count(*) FROM deliveries d WHERE d.webhook_id = w.id AND lease_until > 0) AS held
     FROM webhooks w WHERE status = 'disabled'`,
  );
  // An attempt that is under way may be answered with 410 as well, and disable it again.
  const id = await eventually(() => {
    const disabled = select.get() as { id: string; held: number } | undefined;
    expect(disabled, 'disabled').toMatchObject({ held: 0 });
    return disabled?.id;
  });
  rude.manners = RUDE;
  await server.admin('PUT', `/webhooks/${id}/`, { webhooks: [{ name: 'again' }] });
  slowest.disabled += 1;
};

/** A moment of saving and delivering: after so many of the posts are saved, or of those saved before are sent. */
const untilMoment = ({ saved, good, random }: Run, posts: number): Promise<void> => {
  const grows = random() < 0.5 ? saved : good.calls;
  const goal = grows.length + Math.floor(random() * posts);
  return eventually(() => expect(grows.length).toBeGreaterThanOrEqual(goal));
};

const killAgainAndAgain = async (run: Run): Promise<Server> => {
  const { folder, random } = run;
  let startedAt = Date.now();
  let server = await startServer(folder);
  const perKill = Math.ceil(EVENTS / KILLS);
  for (let kills = 1; kills <= KILLS; kills += 1) {
    const moment = untilMoment(run, perKill);
    const saving = save(run, perKill);
    await moment;
    await server.end('SIGKILL');
    // Every third time the next one is killed before it has started.
    if (kills % 3 === 0) await killWhileStarting(folder, 50 + random() * 450);
    await saving;
    const isWindow = kills % KILLS_BETWEEN_WINDOWS === 0;
    if (isWindow) run.rude.manners = QUICK;
    startedAt = Date.now();
    server = await startServer(folder);
    if (isWindow) await runWindow(run, server, startedAt);
  }
  return server;
};

/** Lets the time pass that retries wait for, and the rude receiver be polite at last. */
const untilDone = (shell: SqliteConnection): Promise<void> =>
  eventually(() => {
    shell.exec("UPDATE deliveries SET due_at = 0 WHERE state = 'pending' AND attempts > 0");
    const waiting = shell.prepare("SELECT count(*) FROM deliveries WHERE state = 'pending'");
    expect(waiting.pluck().get()).toBe(0);
  }, 500);

const openRun = async (): Promise<Run> => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--empty', '--site-url', 'https://site.test']);
  const store = await openStore(join(folder, 'data/publication.db'));
  onTestFinished(() => store.close());
  const random = createRandom(SEED);
  const good = await startRude(random, ['ok']);
  const rude = await startRude(random, RUDE);
  const server = await startServer(folder);
  for (const { url } of [good, rude]) {
    await server.admin('POST', '/webhooks/', { webhooks: [{ event: EVENT, target_url: url }] });
  }
  await server.end();
  const slowest = { afterRestartMs: 0, afterDueMs: 0, disabled: 0 };
  return { folder, store, shell: openShell(folder), random, good, rude, saved: [], slowest };
};

test('killed at any moment, the server loses no event', async () => {
  const run = await openRun();
  const { shell, good, rude, saved, slowest } = run;
  const server = await killAgainAndAgain(run);
  onTestFinished(() => server.end('SIGKILL'));
  await untilAnnounced(shell);
  rude.manners = ['ok'];
  await untilDone(shell);
  const [goodBooks, rudeBooks] = [good.audit(), rude.audit()];
  console.log(
    `seed ${SEED}, ${KILLS} kills, ${saved.length} events:`,
    `good ${goodBooks.calls} calls, ${goodBooks.duplicates} duplicates;`,
    `rude ${rudeBooks.calls} calls, ${rudeBooks.duplicates} duplicates,`,
    `disabled by 410 and enabled again ${slowest.disabled} times;`,
    `good, in windows: ${slowest.afterRestartMs} ms after a restart,`,
    `${slowest.afterDueMs} ms after being due`,
  );
  for (const books of [goodBooks, rudeBooks]) {
    expect(books).toMatchObject({ events: saved.length, unstable: 0 });
    expect(books.succeeded.size).toBe(saved.length);
  }
  const rows = shell.prepare(
    `SELECT e.record_id FROM deliveries d JOIN events e ON e.id = d.event_id
     WHERE e.event = ? AND d.state = 'done'`,
  );
  expect(rows.pluck().all(EVENT).sort()).toEqual([...saved, ...saved].sort());
});
