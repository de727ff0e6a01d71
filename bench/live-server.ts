// A `prepress serve` that stays open, and what the bench does to it: saves by the admin interface, and a receiver of its
// webhooks.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import { SITE_URL } from './builds.ts';

export type LiveServer = {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly contentKey: string;
};

type Options = {
  /** Started as packaging/prepress.service does, with its options of Node.js and its variables. */
  readonly isService?: boolean;
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
};

/** Resolves when the first build is done. */
export const startServer = async (
  folder: string,
  { isService = false, args = [], environment = {} }: Options = {},
): Promise<LiveServer> => {
  const program = join(process.cwd(), 'dist/prepress.js');
  const service = isService ? readService() : { options: [], environment: {} };
  const serve = [...service.options, program, 'serve', '--port', '0', '--json', ...args];
  const child = spawn(process.execPath, serve, {
    cwd: folder,
    env: {
      ...service.environment,
      PATH: process.env.PATH,
      PREPRESS_SITE_URL: SITE_URL,
      PREPRESS_LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.endsWith('}\n')) break;
  }
  if (!printed.includes('"url"')) throw new Error(`No server started in ${folder}: ${printed}`);
  const { url, content_key: contentKey } = JSON.parse(printed) as {
    url: string;
    content_key: string;
  };
  return { folder, child, url, contentKey };
};

const readService = (): { readonly options: string[]; readonly environment: NodeJS.ProcessEnv } => {
  const unit = readFileSync(join(process.cwd(), 'packaging/prepress.service'), 'utf8');
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const variables = [...unit.matchAll(/^Environment=(\w+)=(\S+)$/gm)];
  return {
    options: command.split(' ').filter((word) => word.startsWith('--')),
    environment: Object.fromEntries(variables.map(([, name, value]) => [name, value])),
  };
};

export const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  await closed;
};

/** A request of the admin interface; throws unless it is answered with a success. */
export const askAdmin = async (
  { url, folder }: LiveServer,
  method: 'GET' | 'POST' | 'PUT',
  [path, body]: readonly [path: string, body?: unknown],
): Promise<unknown> => {
  const response = await fetch(`${url}/admin${path}`, {
    method,
    headers: {
      authorization: `Ghost ${await signToken(folder)}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
  return JSON.parse(answer);
};

const signToken = (folder: string): Promise<string> => {
  const key = readFileSync(join(folder, 'data/admin-key'), 'utf8').trim();
  const [kid = '', secret = ''] = key.split(':');
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('4m')
    .setAudience('/admin/')
    .sign(Buffer.from(secret, 'hex'));
};

type Post = { readonly id: string; readonly updated_at: string };

/** Saves a post with another title, as a form does: first it reads what is there. */
export const savePost = async (server: LiveServer, id: string, title: string): Promise<void> => {
  const path = `/posts/${id}/`;
  const { posts } = (await askAdmin(server, 'GET', [path])) as { posts: [Post] };
  const { updated_at } = posts[0];
  await askAdmin(server, 'PUT', [path, { posts: [{ title, updated_at }] }]);
};

export type Receiver = {
  readonly url: string;
  /** Called with the text of each delivery. */
  onDelivery: (text: string) => void;
  readonly close: () => void;
};

export const startReceiver = async (): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const delivery = await text(request);
    response.end('ok');
    receiver.onDelivery(delivery);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    onDelivery: () => undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
};

/** Servers of the bench may send to its receiver. */
export const RECEIVER_ALLOWED = { PREPRESS_WEBHOOK_ALLOW: '127.0.0.0/8' };

export const subscribe = async (
  server: LiveServer,
  { url }: Receiver,
  event: string,
): Promise<void> => {
  await askAdmin(server, 'POST', ['/webhooks/', { webhooks: [{ event, target_url: url }] }]);
};
