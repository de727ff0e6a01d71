// Netlify's edge function in this process: an HTTP server that calls it as Netlify does, with `context.next` over the files of
// a folder. What its routes do not name is a file.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileAt } from './file-at.ts';

type EdgeFunction = {
  readonly default: (request: Request, context: Context) => Promise<Response>;
  readonly config: { readonly path: readonly string[] };
};
type Context = { readonly next: (request: Request) => Promise<Response> };

export type RunningEdge = {
  readonly port: number;
  /** Patterns of the paths that it asks for. */
  readonly routes: readonly string[];
  readonly end: () => Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
};

/** `text` is the bundle; it is written into the folder `folder`. */
export const startEdge = async (
  text: string,
  { folder, output }: { readonly folder: string; readonly output: string },
): Promise<RunningEdge> => {
  // A module is read once under its name.
  const file = join(folder, `edge-${createHash('sha256').update(text).digest('hex')}.mjs`);
  writeFileSync(file, text);
  const edge = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as EdgeFunction;
  const context: Context = { next: async (request) => answerFile(output, request) };
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const respond = async (): Promise<void> => {
      const request = new Request(`http://localhost${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      });
      const response = await edge.default(request, context);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(method === 'HEAD' ? '' : Buffer.from(await response.arrayBuffer()));
    };
    respond().catch(() => outgoing.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    routes: edge.config.path,
    end: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

const answerFile = (output: string, request: Request): Response => {
  const { pathname } = new URL(request.url);
  const bytes = fileAt({ output }, pathname);
  const type = TYPES[pathname.split('.').pop() ?? ''];
  if (bytes === null || type === undefined) {
    return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } });
  }
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  const headers = { etag, 'content-type': type, 'cache-control': 'public,max-age=0' };
  if (request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
};
