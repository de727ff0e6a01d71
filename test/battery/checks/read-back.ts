// The setting readback against a site that gives old bytes for a while, as a CDN does: no delivery of a
// generation leaves before the site has its bytes; events of the admin side do not wait.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { insertRow } from '../../helpers/publication.ts';
import { type Listener, listenForDeliveries } from '../../helpers/receiver.ts';
import { copyPublication, openShell } from '../../helpers/serve.ts';
import { readTree } from '../../helpers/tree.ts';
import { untilAnnounced, untilDelivered } from '../outbox-state.ts';
import { startServer } from '../server.ts';

/** Gives the files as they were when it was told to look again last. */
export const startCdn = async (folder: string) => {
  const look = () => readTree(join(folder, 'output'));
  let cached = look();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '').slice(1);
    asked.push(name);
    const bytes = cached.get(name);
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refresh: () => {
      cached = look();
      return Date.now();
    },
  };
};

export const PUBLISHED =
  "SELECT id FROM posts WHERE type = 'post' AND status = 'published' LIMIT 2";

/** Edits twice and removes while the CDN is stale; throws when something leaves too early. */
export const checkGate = async (template: string, program: string): Promise<void> => {
  const folder = copyPublication(template);
  const cdn = await startCdn(folder);
  const shell = openShell(folder);
  const environment = { PREPRESS_READBACK: cdn.url };
  const server = await startServer(folder, { program, environment });
  onTestFinished(() => server.end('SIGKILL'));
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  const events = ['post.added', 'post.published.edited', 'post.unpublished', 'site.changed'];
  for (const event of events) await listener.subscribe(server, event);
  const [edited, removed] = shell
    .prepare(`${PUBLISHED.replace('1', '2')}`)
    .pluck()
    .all();
  shell.prepare("UPDATE posts SET title = 'First' WHERE id = ?").run(edited);
  await untilAnnounced(shell);
  shell.prepare("UPDATE posts SET title = 'Second' WHERE id = ?").run(edited);
  shell.prepare("UPDATE posts SET status = 'draft' WHERE id = ?").run(removed);
  insertRow(shell, 'posts', {});
  await untilAnnounced(shell);
  // What waits for no file leaves without it; what has been announced before the last one has been looked at with it.
  for (const count of [1, 2]) {
    await eventually(() => expect(timesOf(listener, 'post.added')).toHaveLength(count));
    if (count === 1) insertRow(shell, 'posts', {});
  }
  const fresh = cdn.refresh();
  await untilDelivered(shell);
  for (const event of events.slice(1)) {
    expect(timesOf(listener, event).filter((at) => at < fresh)).toEqual([]);
  }
  expect(listener.received.map(({ body }) => body.event).sort()).toEqual([
    'post.added',
    'post.added',
    'post.published.edited',
    'post.published.edited',
    'post.unpublished',
    'site.changed',
    'site.changed',
  ]);
  expect(cdn.asked.some((name) => name.startsWith('content/posts/'))).toBe(true);
};

const timesOf = ({ received }: Listener, event: string): number[] =>
  received.filter(({ body }) => body.event === event).map(({ at }) => at);
