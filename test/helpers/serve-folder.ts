// A plain server of the files of a folder: without a policy that would forbid scripts, as some hosts are, unless it is given.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Its origin; it is closed when the test ends. `headers`: of each answer. */
export const serveFolder = async (
  root: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const names = path.endsWith('/') ? [`${path}index.html`, `${path}index.json`] : [path];
    const file = names.map((name) => join(root, name)).find((name) => existsSync(name));
    const found = file ?? join(root, '404.html');
    const type = TYPES[extname(found)] ?? 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type, ...headers });
    response.end(existsSync(found) ? readFileSync(found) : '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
