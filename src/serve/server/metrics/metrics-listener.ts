// The listener of the setting `metrics`: a server of its own, so that what the public address serves never leads to
// it. It answers GET and HEAD of /metrics, and nothing else.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostPort } from '../../../base/net/host-port.ts';
import type { Metrics } from './metrics.ts';

export type MetricsListener = {
  readonly url: string;
  readonly close: () => Promise<void>;
};

type Place = { readonly host: string; readonly port: number };

const CONNECTIONS_MAX = 16;

/** Throws the error of the system when it cannot listen there. */
export const listenForScrapes = async (
  { host, port }: Place,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
): Promise<MetricsListener> => {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '/').split('?', 1);
    if (path !== '/metrics') return say(response, 404, 'Metrics are at /metrics.\n');
    if (!['GET', 'HEAD'].includes(request.method ?? '')) {
      return say(response.setHeader('allow', 'GET, HEAD'), 405, 'Metrics are read by GET.\n');
    }
    metrics.text().then(
      (text) => say(response.setHeader('content-type', metrics.contentType), 200, text),
      () => say(response, 500, 'The metrics cannot be read.\n'),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, host);
  await once(server, 'listening');
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${hostPort({ host, port: chosen })}/metrics`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const say = (response: ServerResponse, status: number, body: string): void => {
  if (!response.hasHeader('content-type')) {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
  }
  response.setHeader('cache-control', 'no-store').writeHead(status).end(body);
};
