// A site that gives old bytes for a while, as a CDN does.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readTree } from '../../helpers/tree.ts';

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
