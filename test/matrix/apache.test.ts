import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apacheFiles } from '../../src/publish/hosts/apache/files.ts';
import { apache } from '../../src/publish/hosts/apache/host.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { conditionTrials } from './check-conditions.ts';
import { encodingTrials } from './check-encodings.ts';
import { hostTrials } from './check-host.ts';
import type { Request } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import { type HostUnderTest, startHosts } from './hosts-of-file.ts';
import { placeFiles } from './place-files.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

const reason = missing('apache2', APACHE_INSTALL);

const AS_USUAL = 'as usual';

const start = (asUsual: boolean) => (site: MatrixSite) => {
  placeFiles(site.output, apacheFiles(hostSiteOf(site)));
  // Only a server as usual has something to answer with it.
  writeFileSync(join(site.output, 'index.html'), 'The rest of the site.');
  mkdirSync(join(site.output, '.prepress-pages'), { recursive: true });
  writeFileSync(join(site.output, '.prepress-pages/index.html'), 'Work under way.');
  writeFileSync(join(site.output, '_headers'), 'Settings.');
  for (const folder of ['.git', 'vercel.json/.git', '.well-known']) {
    mkdirSync(join(site.output, folder), { recursive: true });
    writeFileSync(join(site.output, folder, 'config'), 'Text.');
  }
  // A page that is called so.
  mkdirSync(join(site.output, 'vercel.json'), { recursive: true });
  writeFileSync(join(site.output, 'vercel.json/index.html'), 'A page.');
  return startApache({ output: site.output, asUsual });
};

const exceptionsOf =
  ({ title }: HostUnderTest) =>
  (request: Request): string | null => {
    if (title === AS_USUAL && /%2e%2e\/build/.test(request.path)) return 'it leads out of /content';
    return /slug\/[^?]{300}/.test(request.path)
      ? 'Apache asks the disk for the name before it reads rules'
      : ruleExceptions(request);
  };

/** What rules refuse themselves, for readers of any site; and what is refused before rules are read. */
const refusalTrials = ({ title, site, ask }: HostUnderTest): Trial[] => {
  const asked = (path: string, hold: Trial['hold']): Trial => ({
    host: title,
    request: path,
    hold,
  });
  const documents = [
    '/content//posts/',
    '/content/posts//',
    '/content/./posts/',
    '/content/posts/slug/%252f/',
    '/content/posts/slug/%2e%2e/',
    '/content/posts/slug/x%5cy/',
  ].map((path) =>
    asked(path, async (compare) => {
      const { status, headers, body } = await ask({ path: `${site.basePath}${path}` });
      compare('status', status, 404);
      compare('allow-origin', headers['access-control-allow-origin'], '*');
      compare('cache-control', headers['cache-control'], /^(?!.*max-age=0)/);
      compare(
        'body',
        JSON.parse(body.toString()),
        expect.objectContaining({ errors: expect.anything() }),
      );
    }),
  );
  const early = ['slug%2fwelcome', 'slug/x%00', 'slug/%zz', `slug/${'x'.repeat(3_000)}`].map(
    (path) =>
      asked(path, async (compare) => {
        const { status, headers } = await ask({ path: `${site.basePath}/content/posts/${path}/` });
        compare('status', status, expect.toBeOneOf([400, 403, 404]));
        compare('allow-origin', headers['access-control-allow-origin'], undefined);
      }),
  );
  writeFileSync(join(site.content, 'posts/slug/.env'), '# Settings.');
  const hidden = [
    '/.prepress-pages/',
    '/.prepress-pages/index.html',
    '/%2eprepress-pages/',
    '/_headers',
    '/.htaccess',
    '/%2ehtaccess',
    '/.git/config',
    '/vercel.json/%2egit/config',
    // Beside slugs, which may begin so.
    `${site.basePath}/content/posts/slug/.env`,
    `${site.basePath}/content/posts/slug/%2eenv/x`,
  ].map((path) =>
    asked(path, async (compare) => {
      compare('status', (await ask({ path })).status, 404);
    }),
  );
  const known = asked('/.well-known/config', async (compare) => {
    compare('status', (await ask({ path: '/.well-known/config' })).status, 200);
  });
  const page = asked('/vercel.json/', async (compare) => {
    if (title === AS_USUAL) compare('status', (await ask({ path: '/vercel.json/' })).status, 200);
  });
  return [...documents, ...early, ...hidden, known, page];
};

test.skipIf(reason !== null)(
  `rules are included beside directives of the owner ${reason ?? ''}`,
  async () => {
    const site = await buildMatrixSite();
    onTestFinished(site.remove);
    placeFiles(site.output, apacheFiles(hostSiteOf(site)));
    const apacheServer = await startApache({
      output: site.output,
      directives: `AccessFileName .none
<Directory ${site.output}>
  Include ${site.output}/.htaccess
  Header always set X-Owner here
</Directory>`,
    });
    onTestFinished(() => apacheServer.end());
    const host = { title: 'included', site, ask: askAt(apacheServer.port) };
    const { headers } = await host.ask({ path: '/content/posts/' });
    expect(headers['x-owner']).toBe('here');
    const missingHeaders = ['relative location'] as const;
    await holdAll(hostTrials(host, { exceptions: exceptionsOf(host), missingHeaders }));
  },
);

describe.skipIf(reason !== null)(`Apache ${reason ?? ''}`, () => {
  const hosts = startHosts([
    { title: 'alone', start: start(false) },
    { title: 'alone', basePath: '/blog', start: start(false) },
    { title: AS_USUAL, start: start(true) },
  ]);

  test('conditions and ranges', () => holdAll(hosts().flatMap(conditionTrials)));

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          missingHeaders: ['relative location'],
          exceptions: exceptionsOf(host),
        }),
      ),
    ));

  test('encodings', () =>
    holdAll(
      hosts()
        .filter(({ title }) => title !== AS_USUAL)
        .flatMap((host) => encodingTrials(host, ['br', 'gzip'])),
    ));

  test('what it refuses is the document, but before it reads rules, as is announced', async () => {
    await holdAll(hosts().flatMap(refusalTrials));
    for (const { site } of hosts())
      expect(apache.limitations(hostSiteOf(site)).join()).toMatch(/%2F, %00.*over 255 bytes/);
  });

  test('where it compresses by itself, nothing is compressed twice', async () => {
    for (const { site } of hosts().slice(0, 2)) {
      const own = await startApache({
        output: site.output,
        modules: ['filter', 'deflate'],
        // As Debian has it.
        directives:
          'AddOutputFilterByType DEFLATE application/json\nAddType application/x-gzip .gz',
      });
      onTestFinished(own.end);
      const path = `${site.basePath}/content/posts/`;
      const { headers, body } = await askAt(own.port)({
        path,
        headers: { 'accept-encoding': 'gzip' },
      });
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/json; charset=utf-8',
        vary: 'Accept-Version,Accept-Encoding',
      });
      const file = readFileSync(join(site.content, 'posts/index.json'));
      expect(gunzipSync(body).equals(file)).toBe(true);
    }
  });
});
