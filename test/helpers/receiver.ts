// Receivers of webhooks on a free port of loopback. Each keeps what came and answers as the test says. One that listens for
// deliveries also checks both signatures, Standard Webhooks' with its own library and Ghost's by computing it again.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished } from 'vitest';

export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: number;
};

export type Answer = (
  response: ServerResponse,
  received: Received,
  request: IncomingMessage,
) => void;

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  answer: Answer;
};

export const ok: Answer = (response) => response.writeHead(200).end('ok');

/** Answers each request when it is whole; the caller closes it. */
const listen = async (answer: Answer, host = '127.0.0.1') => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    for (const stream of [request, response, request.socket]) stream.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks).toString('utf8');
      answer(response, { path: request.url ?? '', headers, body, at: Date.now() }, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Closed with the test. */
export const startReceiver = async (answer: Answer = ok): Promise<Receiver> => {
  const received: Received[] = [];
  const { url, close } = await listen((response, one, request) => {
    received.push(one);
    receiver.answer(response, one, request);
  });
  onTestFinished(close);
  const receiver: Receiver = { url: `${url}/hook`, received, answer };
  return receiver;
};

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

/** Whose admin interface makes the webhook. */
type Admin = { readonly admin: (method: string, path: string, body?: unknown) => Promise<unknown> };

export type Listener = {
  readonly url: string;
  /** Signs Ghost's header: another one after a rotation, while the first still signs the standard one. */
  ghostSecret: string;
  readonly received: Delivered[];
  /** What was wrong with signatures; empty is good. */
  readonly faults: unknown[];
  respond: Respond;
  /** Makes a webhook of this receiver through the admin interface; returns its id. */
  readonly subscribe: (server: Admin, event: string, path?: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/** For one or more tests of a file: the caller closes it. */
export const listenForDeliveries = async (host = '127.0.0.1'): Promise<Listener> => {
  const received: Delivered[] = [];
  const faults: unknown[] = [];
  const { url, close } = await listen((response, { headers, body: text, at, path }, request) => {
    try {
      verify(text, headers, listener.ghostSecret);
    } catch (error) {
      faults.push(error);
    }
    const id = headers['webhook-id'] ?? '';
    const one = { id, at, path, text, body: JSON.parse(text) as Delivered['body'] };
    received.push(one);
    listener.respond(response, one, request);
  }, host);
  const listener: Listener = {
    url,
    ghostSecret: SECRET,
    received,
    faults,
    respond: (response) => response.writeHead(200).end('ok'),
    subscribe: async ({ admin }, event, path = '/hook') => {
      const webhook = { event, target_url: `${url}${path}`, secret: SECRET };
      const made = await admin('POST', '/webhooks/', { webhooks: [webhook] });
      return (made as { webhooks: [{ id: string }] }).webhooks[0].id;
    },
    close,
  };
  return listener;
};

const verify = (text: string, headers: Received['headers'], ghostSecret: string): void => {
  new Webhook(SECRET).verify(text, headers);
  const [, hex, time] =
    /^sha256=([0-9a-f]{64}), t=(\d+)$/.exec(headers['x-ghost-signature'] ?? '') ?? [];
  const ours = createHmac('sha256', ghostSecret).update(`${text}${time}`).digest('hex');
  if (hex !== ours) throw new Error('X-Ghost-Signature differs');
};

export type Noticed = {
  readonly id: string;
  readonly generation: number;
  /** The post or page that it names; of one that is gone, as it was. */
  readonly record: Readonly<Record<string, unknown>>;
};

/** What came of an event, all of it rightly signed. */
export const noticedOf = ({ received, faults }: Listener, event: string): Noticed[] => {
  expect(faults).toEqual([]);
  return received
    .filter(({ body }) => body.event === event)
    .map(({ id, body }) => {
      type Shown = Readonly<Record<'current' | 'previous', Noticed['record']>> | undefined;
      const shown = (body.post ?? body.page) as Shown;
      const record = shown?.current.id === undefined ? shown?.previous : shown.current;
      return { id, generation: body.generation as number, record: record ?? {} };
    });
};
