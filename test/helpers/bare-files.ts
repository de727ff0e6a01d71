// A heap of files over HTTP, as a bucket with a CORS rule or `python3 -m http.server` has it: a path is a file or is
// not there, queries mean nothing, and nobody is asked before a request.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

export type BareFiles = {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** What a path is answered with in place of its file. */
  readonly instead: Map<string, (response: ServerResponse) => void>;
  readonly close: () => Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.js': 'text/javascript',
  '.html': 'text/html',
};

export const serveBare = async (folder: string): Promise<BareFiles> => {
  const asked: string[] = [];
  const instead: BareFiles['instead'] = new Map();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/');
    asked.push(path);
    response.setHeader('access-control-allow-origin', '*');
    if (request.method !== 'GET') return response.writeHead(405).end();
    const other = instead.get(path);
    if (other !== undefined) return other(response);
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null) return response.writeHead(404).end('not found');
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    instead,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
