// Netlify's edge function behind an HTTP server that calls it as Netlify does, with `context.next` over the files of a folder:
// in this process, or in Deno.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileAt } from './file-at.ts';
import { freePort } from './program.ts';
import { startProgram } from './start-program.ts';

type EdgeFunction = {
  readonly default: (request: Request, context: Context) => Promise<Response>;
};
type Context = { readonly next: (request: Request) => Promise<Response> };

export type RunningEdge = {
  readonly port: number;
  readonly end: () => Promise<void>;
};

type EdgeOptions = {
  readonly folder: string;
  readonly output: string;
  /** The path of Deno's program; it is no dependency. */
  readonly deno?: string | undefined;
};

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=UTF-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  gz: 'application/gzip',
  txt: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
};

/** `text` is the bundle; it is written into the folder `folder`. */
export const startEdge = async (
  text: string,
  { folder, output, deno }: EdgeOptions,
): Promise<RunningEdge> => {
  // A module is read once under its name.
  const file = join(folder, `edge-${createHash('sha256').update(text).digest('hex')}.mjs`);
  writeFileSync(file, text);
  if (deno !== undefined) return startDeno([deno, file, output], folder);
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
    end: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

const startDeno = async (
  [deno = '', file = '', output = '']: readonly string[],
  folder: string,
): Promise<RunningEdge> => {
  const port = await freePort();
  const script = fileURLToPath(new URL('edge-deno.js', import.meta.url));
  const allowed = ['run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-read', '--no-remote'];
  const program = await startProgram(
    [deno, ...allowed, script, pathToFileURL(file).href, output, String(port)],
    { cwd: folder, port, environment: { HOME: folder, DENO_NO_UPDATE_CHECK: '1' } },
  );
  return { ...program, port };
};

const answerFile = (output: string, request: Request): Response => {
  const asked = new URL(request.url).pathname;
  const pathname = asked.endsWith('/') ? `${asked}index.html` : asked;
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
