// Vercel, played by what its documentation says of phases, behind an HTTP server that its middleware fetches files from: no program
// of Vercel's answers requests without its network.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { HostFile } from '../../src/publish/hosts/host.ts';
import type { Answer } from './ask.ts';
import { fileAt } from './file-at.ts';

export type Route = {
  readonly src: string;
  readonly handle?: string;
  readonly dest?: string;
  readonly methods?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly continue?: boolean;
  readonly middlewarePath?: string;
};

export const routesIn = ([config]: readonly HostFile[]): Route[] =>
  (JSON.parse(config?.text ?? '') as { routes: Route[] }).routes;

type Context = { readonly waitUntil: (work: Promise<unknown>) => void };
type Middleware = (request: Request, context: Context) => Promise<Response>;

/** `output`: the folder that was uploaded. */
export const startVercel = async (output: string, files: readonly HostFile[]) => {
  const code = files.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const { default: middleware } = (await import(/* @vite-ignore */ url)) as { default: Middleware };
  const player = { output, routes: routesIn(files), middleware };
  const server = createServer((incoming, outgoing) => {
    answer(player, incoming)
      .then(({ status, headers, body }) => {
        const isSent = incoming.method !== 'HEAD' && status !== 304;
        // As the platform does for whom takes it.
        const isZipped =
          isSent &&
          headers['content-encoding'] === undefined &&
          /gzip/.test(String(incoming.headers['accept-encoding']));
        const sent = isZipped ? gzipSync(body) : isSent ? body : '';
        const encoding = { 'content-encoding': 'gzip', 'content-length': sent.length };
        outgoing.writeHead(status, { ...headers, ...(isZipped && encoding) });
        outgoing.end(sent);
      })
      .catch((error: Error) => outgoing.writeHead(500).end(error.stack));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    end: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
};

type Player = {
  readonly output: string;
  readonly routes: readonly Route[];
  readonly middleware: Middleware;
};

/** The routes up to the first `handle`, or those after one. */
const phase = (routes: readonly Route[], handle: string | null): Route[] => {
  const start = routes.findIndex((route) => route.handle === handle) + 1;
  const rest = routes.slice(start);
  const end = rest.findIndex((route) => route.handle !== undefined);
  return end === -1 ? rest : rest.slice(0, end);
};

type Match = { readonly route: Route; readonly groups: Record<string, string> };

const matchOf = (route: Route, method: string, path: string): Match | null => {
  if (route.methods !== undefined && !route.methods.includes(method)) return null;
  const found = new RegExp(route.src).exec(path);
  return found === null ? null : { route, groups: Object.fromEntries(found.entries()) };
};

const filled = (text: string, groups: Record<string, string>): string =>
  text.replace(/\$(\w+)/g, (_, name: string) => groups[name] ?? '');

const lower = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Vercel's own, by the ends of names. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  gz: 'application/gzip',
};

const answer = async (
  { output, routes, middleware }: Player,
  { method = 'GET', url: address = '/', headers: sent }: IncomingMessage,
): Promise<Answer> => {
  const [path = '', query = ''] = address.split('?');
  let headers: Record<string, string> = {};
  const send = (status: number, body: Buffer = Buffer.alloc(0)): Answer => {
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    if (status === 200) headers = { ...headers, etag };
    const isKnown = status === 200 && sent['if-none-match'] === etag;
    return { status: isKnown ? 304 : status, headers, body };
  };
  const sendFile = (name: string, status = 200): Answer => {
    const body = fileAt({ output }, name);
    if (body === null || !/^(?:GET|HEAD)$/.test(method)) return fail();
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/json; charset=utf-8';
    headers = { 'content-type': type, ...headers };
    for (const route of phase(routes, 'hit')) {
      const hit = matchOf(route, method, name);
      if (hit !== null && status === 200) headers = { ...headers, ...lower(route.headers) };
    }
    return send(status, body);
  };
  const fail = (): Answer => {
    const [match] = phase(routes, 'error').flatMap((route) => matchOf(route, method, path) ?? []);
    headers = { ...headers, ...lower(match?.route.headers) };
    const body = fileAt({ output }, match?.route.dest ?? '') ?? undefined;
    return send(match?.route.status ?? 404, body);
  };
  const askMiddleware = async (): Promise<Answer> => {
    // The address as it was sent, whatever a program would make of it.
    const request = {
      url: `http://${sent.host}${address}`,
      method,
      headers: new Headers(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    } as Request;
    const said = await middleware(request, { waitUntil: () => undefined });
    // These are of the connection that the file came through.
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) said.headers.delete(name);
    return {
      status: said.status,
      headers: { ...headers, ...Object.fromEntries(said.headers) },
      body: Buffer.from(await said.arrayBuffer()),
    };
  };
  const walk = async (group: readonly Route[]): Promise<Answer | null> => {
    for (const route of group) {
      const match = matchOf(route, method, path);
      if (match === null) continue;
      const own = Object.entries(lower(route.headers));
      const given = own.map(([name, value]) => [name, filled(value, match.groups)]);
      headers = { ...headers, ...Object.fromEntries(given) };
      if (route.middlewarePath !== undefined) return askMiddleware();
      if (route.continue === true) continue;
      if (route.dest !== undefined) return sendFile(filled(route.dest, match.groups), route.status);
      // Redirects take the query with them.
      const { location } = headers;
      if (location !== undefined && query !== '')
        headers = { ...headers, location: `${location}?${query}` };
      return send(route.status ?? 200);
    }
    return null;
  };
  const first = await walk(phase(routes, null));
  if (first !== null) return first;
  const name = path.endsWith('/') ? `${path}index.html` : path;
  if (fileAt({ output }, name) !== null) return sendFile(name);
  return (await walk(phase(routes, 'filesystem'))) ?? fail();
};
