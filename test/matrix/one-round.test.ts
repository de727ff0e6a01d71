// One round of each real server in its usual configuration, over one built site: what a reader asks for first. The whole list
// and other configurations are in the test of each host.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { askAt } from './ask.ts';
import { knownTrial, requestTrial } from './check-host.ts';
import { startCompanion } from './companion-process.ts';
import { REQUESTS } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import type { Started } from './hosts-of-file.ts';
import { NGINX_INSTALL, NJS_INSTALL, NJS_MODULE, njsRules, startNginx } from './nginx-process.ts';
import { missing, missingFile } from './program.ts';
import { SERVERS, type Server } from './servers.ts';
import { buildMatrixSite, type MatrixSite, TEXT_BLOB } from './site.ts';
import { startWorker } from './start-worker.ts';
import { holdAll } from './trials.ts';

const ASKED = [
  'GET /content/posts/',
  'HEAD /content/posts/',
  'GET /content/posts/?include=tags%2Cauthors',
  'GET /content/posts/?page=3',
  'GET /content/posts/slug/welcome/',
  'GET /content/posts/slug/twin/',
  'GET /ghost/api/v3/content/settings/',
  `GET /content/${TEXT_BLOB}`,
  'GET /content/images/a.png',
  'GET /content/images/size/w600/a.png',
  'GET /content/posts?include=tags%2Cauthors&key=1',
  'GET /content/posts/slug/none/',
  'OPTIONS /content/posts/',
  'GET /content/posts/slug/%zz/',
];

const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT';
const KNOWN = '/content/posts/?include=tags';

let site: MatrixSite;

beforeAll(async () => {
  site = await buildMatrixSite();
  return () => site.remove();
});

/** In a folder of its own beside the output. */
const startNjs = async (of: MatrixSite): Promise<Started> => {
  const folder = `${of.output}-njs`;
  return startNginx({ folder, ...(await njsRules(hostSiteOf(of), folder)) });
};

type Host = Omit<Server, 'start'> & { readonly start: (of: MatrixSite) => Promise<Started> };

const HOSTS: readonly Host[] = [
  { name: 'the companion', reason: null, start: (of) => startCompanion(of) },
  { name: 'workerd', reason: null, start: (of) => startWorker(of) },
  ...SERVERS.map((server) => ({ ...server, start: (of: MatrixSite) => server.start(of) })),
  {
    name: 'nginx with njs',
    reason: missing('nginx', NGINX_INSTALL) ?? missingFile(NJS_MODULE, NJS_INSTALL),
    start: startNjs,
  },
];

describe.each(HOSTS)('$name', ({ name, reason, missingHeaders, start }) => {
  test.skipIf(reason !== null)(`one round${reason === null ? '' : ` (${reason})`}`, async () => {
    const started = await start(site);
    onTestFinished(async () => void (await started.end?.()));
    const ask = 'port' in started ? askAt(started.port) : started.ask;
    const host = { title: name, site, ask };
    const requests = REQUESTS.filter(({ method, path }) => ASKED.includes(`${method} ${path}`));
    expect(requests).toHaveLength(ASKED.length);
    await holdAll([
      ...requests.map((request) => requestTrial(host, request, { missingHeaders })),
      knownTrial(host, KNOWN, false),
    ]);
  });
});

const READERS = SERVERS.filter(({ name }) => !name.startsWith('Varnish'));

test.each(READERS)(
  'of several machines, $name tells no time of a file',
  async ({ reason, start }) => {
    if (reason !== null) return;
    const started = await start(site, { hostSite: { isShared: true }, name: 'shared' });
    onTestFinished(started.end);
    const ask = askAt(started.port);
    const path = '/content/posts/';
    const conditions = [{}, { 'if-modified-since': FUTURE }];
    for (const headers of conditions) {
      const { status, headers: given } = await ask({ path, headers });
      expect([status, given.etag, given['last-modified']]).toEqual([200, undefined, undefined]);
    }
  },
);

test('the companion and workerd ask for the content key where they are told to', async () => {
  const companion = await startCompanion(site, 'required');
  onTestFinished(companion.end);
  const worker = await startWorker(site, { keys: ['right'] });
  onTestFinished(worker.end);
  for (const ask of [askAt(companion.port), worker.ask]) {
    const statuses = ['', '?key=wrong'].map(async (query) => {
      const { status } = await ask({ path: `/content/posts/${query}` });
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([403, 401]);
  }
  expect((await worker.ask({ path: '/content/posts/?key=right' })).status).toBe(200);
});
