// Firebase's own server of files (superstatic) with the generated rules.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import superstatic from 'superstatic';
import { describe, test } from 'vitest';
import { firebaseFiles } from '../../src/publish/hosts/firebase/files.ts';
import { writeCopies } from '../../src/publish/hosts/placing/write-host.ts';
import { hostTrials } from './check-host.ts';
import { holdPages } from './check-pages.ts';
import type { Request } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { isStoredElsewhere, toOneVariant } from './one-variant.ts';
import { isClosed, rawByteExceptions, ruleExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { holdAll } from './trials.ts';

/** Its server falls over these. */
const withoutBroken = (request: Request): Request | null =>
  /%zz|%0d|a{300}|.{1000}/.test(request.path) ? null : toOneVariant(request);

const exceptions = (request: Request): string | null => {
  if (rawByteExceptions(request) !== null) return rawByteExceptions(request);
  if (request.path.startsWith('/ghost/api')) return 'aliases are redirected there';
  if (isStoredElsewhere(request)) return 'rules there know no slugs';
  if (/%2f|%5c|%2e|\/\/|%00/i.test(request.path)) return 'paths are tidied up there';
  if (/%23/.test(request.path)) return 'the path ends there';
  if (/%40|%70osts/.test(request.path)) return 'paths are compared as they were sent';
  if (/images\/size\/w(?:600\/a|256)/.test(request.path)) return 'nothing stands for a size there';
  if (/prepress-/.test(request.path)) return 'hidden folders are left out of uploads';
  if (/welcome[.]json/.test(request.path)) return 'a path with an ending is a file there';
  if (isClosed(request)) return 'settings are left out of uploads';
  if (/POST|DELETE/.test(request.method)) return 'every method is GET there';
  if (request.method === 'OPTIONS' && !request.path.endsWith('/')) return 'it is redirected';
  return ruleExceptions(request);
};

const start = async (site: MatrixSite) => {
  const hostSite = hostSiteOf(site);
  await writeCopies(hostSite, dirname(site.output), { asked: true });
  const { hosting } = JSON.parse(firebaseFiles(hostSite)[0]?.text ?? '') as {
    hosting: { public: string };
  };
  if (hosting.public !== basename(site.output)) throw new Error('It serves another folder.');
  const serve = superstatic({ cwd: dirname(site.output), config: hosting });
  const server = createServer((request, response) => {
    serve(request, response, () => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, end };
};

describe('superstatic', () => {
  const hosts = startHosts([
    { title: 'superstatic', start },
    { title: 'superstatic', basePath: '/blog', start },
  ]);

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          adapt: withoutBroken,
          exceptions,
          missingHeaders: ['deprecation', 'no file', 'relative location'],
          otherCaching: Object.fromEntries(
            ['absent', 'redirect', 'blob'].map((kind) => [kind, 'its headers know no status']),
          ),
          sendsCopies: true,
          sendsAgain: 'superstatic compares ETags of rewrites only',
        }),
      ),
    ));

  test('pages for readers', () => holdPages(hosts(), { isPlayed: true }));
});
