// Stands in for CloudFront's API: takes invalidations as the official client sends them, or refuses them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type CloudFront = {
  /** What the official client has to be told in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Paths of each invalidation that was taken, under the id of its distribution. */
  readonly taken: { readonly distribution: string; readonly paths: readonly string[] }[];
  isAway: boolean;
  readonly close: () => void;
};

export const startCloudFront = async (): Promise<CloudFront> => {
  const taken: CloudFront['taken'] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [, distribution = ''] =
      /^\/2020-05-31\/distribution\/([^/]+)\/invalidation$/.exec(request.url ?? '') ?? [];
    if (cloudfront.isAway || distribution === '') {
      response.writeHead(403, { 'content-type': 'text/xml' });
      response.end('<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>');
      return;
    }
    const paths = [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path = '']) => path);
    taken.push({ distribution, paths });
    response.writeHead(201, { 'content-type': 'text/xml' });
    response.end('<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cloudfront: CloudFront = {
    environment: {
      AWS_ENDPOINT_URL_CLOUDFRONT: endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    taken,
    isAway: false,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return cloudfront;
};
