// One request, sent as it is written: no client tidies the path up on the way.
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Asked = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Ask = (asked: Asked) => Promise<Answer>;

export const askAt =
  (port: number): Ask =>
  ({ method = 'GET', path, headers = {} }) =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, method, path, headers, agent: false },
        (response) => {
          buffer(response).then(
            (body) =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            reject,
          );
        },
      );
      sent.on('error', reject);
      sent.end();
    });
