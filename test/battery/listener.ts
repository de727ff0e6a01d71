// A receiver for one or more tests of a file: keeps each delivery with the time of its coming, and checks
// both signatures, Standard Webhooks' with its own library and Ghost's by computing it again.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Server } from './server.ts';

export type Delivered = {
  readonly id: string;
  readonly at: number;
  readonly path: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Respond = (
  response: ServerResponse,
  delivered: Delivered,
  request: IncomingMessage,
) => void;

export type Listener = {
  readonly url: string;
  /** Signs Ghost's header: another one after a rotation, while the first still signs the standard one. */
  ghostSecret: string;
  readonly received: Delivered[];
  /** What was wrong with signatures; empty is good. */
  readonly faults: unknown[];
  respond: Respond;
  /** Makes a webhook of this receiver through the admin interface; returns its id. */
  readonly subscribe: (server: Server, event: string, path?: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

export const listenForDeliveries = async (host = '127.0.0.1'): Promise<Listener> => {
  const received: Delivered[] = [];
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    for (const stream of [request, response]) stream.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const headers = request.headers as Record<string, string>;
      try {
        verify(text, headers, listener.ghostSecret);
      } catch (error) {
        faults.push(error);
      }
      const id = headers['webhook-id'] ?? '';
      const body = JSON.parse(text) as Delivered['body'];
      const one = { id, at: Date.now(), path: request.url ?? '', text, body };
      received.push(one);
      listener.respond(response, one, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const listener: Listener = {
    url,
    ghostSecret: SECRET,
    received,
    faults,
    respond: (response) => response.writeHead(200).end('ok'),
    subscribe: async (to, event, path = '/hook') => {
      const webhook = { event, target_url: `${url}${path}`, secret: SECRET };
      const { webhooks } = await to.admin('POST', '/webhooks/', { webhooks: [webhook] });
      return webhooks[0].id;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return listener;
};

const verify = (text: string, headers: Record<string, string>, ghostSecret: string): void => {
  new Webhook(SECRET).verify(text, headers);
  const [, hex, time] =
    /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(headers['x-ghost-signature'] ?? '') ?? [];
  const ours = createHmac('sha256', ghostSecret).update(`${text}${time}`).digest('hex');
  if (hex !== ours) throw new Error('X-Ghost-Signature differs');
};
