// A real receiver on a free port of loopback: keeps what it was sent and answers as the test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

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

export const startReceiver = async (answer: Answer = ok): Promise<Receiver> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
        at: Date.now(),
      };
      received.push(one);
      receiver.answer(response, one, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, received, answer };
  return receiver;
};
