// Bursts settle into one build and one site.changed; a change that reaches no byte and is no event of the
// admin side sends nothing; nothing is told of what cannot be read. Each check leaves all quiet.
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createId } from '../../../src/base/ids.ts';
import { EVENT_NAMES } from '../../../src/delivery/event-names.ts';
import type { SqliteConnection } from '../../../src/sqlite/driver.ts';
import { eventually } from '../../helpers/eventually.ts';
import { inOneBuild } from '../../helpers/in-one-build.ts';
import { insertRow } from '../../helpers/publication.ts';
import { type Listener, listenForDeliveries } from '../../helpers/receiver.ts';
import { prepress } from '../../helpers/run-prepress.ts';
import { copyPublication, openShell } from '../../helpers/serve.ts';
import { queuedDeliveries, untilDelivered } from '../outbox-state.ts';
import { startServer } from '../server.ts';

const EXPORT = join(import.meta.dirname, '../../fixtures/ghost-export.json');
const RECORDS = 150;

type Scene = {
  readonly folder: string;
  readonly shell: SqliteConnection;
  readonly listener: Listener;
  /** Names of the events that were queued since it was asked last, once all that is logged has been announced. */
  readonly events: () => Promise<string[]>;
};

export type Check = (scene: Scene) => Promise<void>;

/** Runs checks, one after another, on a server that every event is subscribed to. */
export const runBurstChecks = async (
  template: string,
  program: string,
  checks: readonly Check[],
): Promise<void> => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  shell.transaction(() => {
    for (let made = 0; made < RECORDS; made += 1) {
      const published_at = '2026-01-01 10:00:00';
      insertRow(shell, 'posts', { status: 'published', published_at, html: '<p>a</p>' });
    }
  })();
  const server = await startServer(folder, { program });
  onTestFinished(() => server.end('SIGKILL'));
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  for (const event of EVENT_NAMES) await listener.subscribe(server, event);
  await untilDelivered(shell);
  let skip = queuedDeliveries(shell).length;
  const events = async (): Promise<string[]> => {
    await untilDelivered(shell);
    const queued = queuedDeliveries(shell, skip);
    skip += queued.length;
    return queued.map(({ event }) => event);
  };
  for (const check of checks) await check({ folder, shell, listener, events });
};

export const bulkEdit: Check = async ({ folder, shell, events }) => {
  const ids = shell.prepare('SELECT id FROM posts').pluck().all();
  const retitle = shell.prepare("UPDATE posts SET title = title || '!' WHERE id = ?");
  await inOneBuild(folder, () => {
    for (const id of ids) retitle.run(id);
  });
  expect(await events()).toEqual(['site.changed']);
};

export const severalSaves: Check = async ({ folder, shell, events }) => {
  const id = shell.prepare('SELECT id FROM posts LIMIT 1').pluck().get();
  const retitle = shell.prepare('UPDATE posts SET title = ? WHERE id = ?');
  await inOneBuild(folder, () => {
    for (const title of ['one', 'two', 'three', 'four']) retitle.run(title, id);
  });
  expect(await events()).toEqual(['post.published.edited', 'post.edited', 'site.changed']);
};

export const bigImport: Check = async ({ folder, shell, events }) => {
  await prepress(folder, ['import', EXPORT]);
  expect(await events()).toEqual(['site.changed']);
  expect(shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBeGreaterThan(RECORDS);
  await prepress(folder, ['import', EXPORT]);
  expect(await events()).toEqual([]);
};

export const unseenChange: Check = async ({ shell, events }) => {
  const id = shell.prepare('SELECT id FROM posts LIMIT 1').pluck().get();
  shell.prepare(`UPDATE posts SET lexical = '{"root":{}}' WHERE id = ?`).run(id);
  shell.exec('UPDATE posts SET title = title, html = html');
  shell.exec("UPDATE settings SET value = value WHERE key = 'title'");
  expect(await events()).toEqual([]);
  shell.prepare("UPDATE posts SET title = 'Seen' WHERE id = ?").run(id);
  expect(await events()).toEqual(['post.published.edited', 'post.edited', 'site.changed']);
};

/** A row that cannot be read fails the build: what waits for it may not be told, a draft may. */
export const brokenBuild: Check = async ({ shell, listener, events }) => {
  const received = () => listener.received.map(({ body }) => body.event);
  const before = received().length;
  const [broken, draft] = [createId(), createId()];
  insertRow(shell, 'posts', { id: broken, status: 'published', published_at: 'one day' });
  insertRow(shell, 'posts', { id: draft });
  await eventually(() => expect(received().slice(before)).toContain('post.added'));
  insertRow(shell, 'posts', {});
  await eventually(() => expect(received().length).toBeGreaterThanOrEqual(before + 3));
  // Of the broken one its making is an event, and its publishing is none until it can be read.
  expect(received().slice(before)).toEqual(['post.added', 'post.added', 'post.added']);
  shell.prepare("UPDATE posts SET published_at = '2026-01-01' WHERE id = ?").run(broken);
  const told = (await events()).sort();
  const mended = ['post.edited', 'post.published', 'site.changed'];
  expect(told).toEqual(['post.added', 'post.added', 'post.added', ...mended]);
};
