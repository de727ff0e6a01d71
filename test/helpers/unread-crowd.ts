// A crowd of clients that send requests to a running server and read no answer, and what others see of the
// server meanwhile.

import { join } from 'node:path';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { canCountFiles, memoryMb, openFiles } from './open-files.ts';
import { openRaw, type RawClient } from './raw-client.ts';
import { DATABASE, type Serving } from './serve.ts';

/** What a crowd of 512 may cost at most; the start and the caches of the server are in it. */
export const MEMORY_MB_MAX = 300;

/** With ten posts of that, a list is far over what the system takes for one client. */
const HTML_BYTES = 1_000_000;

/** Makes the posts of a publication long, before it is built. */
export const lengthenPosts = (folder: string): void => {
  const database = new (loadDriver())(join(folder, DATABASE));
  const html = `<p>${'word '.repeat(HTML_BYTES / 5)}</p>`;
  database.prepare("UPDATE posts SET html = ? WHERE type = 'post'").run(html);
  database.close();
};

/** Connects so many clients, each of which sends what `textOf` says for its number. */
export const openCrowd = async (
  { url }: Serving,
  count: number,
  textOf: (number: number) => string,
): Promise<RawClient[]> => {
  const clients: RawClient[] = [];
  while (clients.length < count) {
    const client = await openRaw(url, { isReading: false });
    client.socket.write(textOf(clients.length));
    clients.push(client);
  }
  return clients;
};

export type Sight = {
  /** Status of each answer of /health, asked on a new connection, and how long the slowest took. */
  readonly statuses: readonly number[];
  readonly slowestMs: number;
  readonly peakMb: number;
  readonly files: number;
  readonly connections: number;
};

/** Asks for /health so many times, one after the other. Each connection is taken after all those of the crowd. */
export const watch = async ({ url, pid, folder }: Serving, rounds: number): Promise<Sight> => {
  const statuses: number[] = [];
  let slowestMs = 0;
  let files = 0;
  let connections = 0;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const { status } = await fetch(`${url}/health`, { headers: { connection: 'close' } });
    slowestMs = Math.max(slowestMs, performance.now() - started);
    statuses.push(status);
    if (canCountFiles) {
      files = Math.max(files, openFiles(join(folder, 'output'), pid).length);
      connections = Math.max(connections, openFiles('socket:', pid).length);
    }
  }
  const peakMb = canCountFiles ? memoryMb(pid, 'VmHWM') : 0;
  return { statuses, slowestMs, peakMb, files, connections };
};
