import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
import { apache } from '../../src/hosts/apache/host.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('apache2', APACHE_INSTALL);

describe.skipIf(reason !== null).each([
  { basePath: '', others: 'alone' },
  { basePath: '/blog', others: 'alone' },
  { basePath: '', others: 'as usual' },
  { basePath: '/blog', others: 'as usual' },
] as const)(`Apache ${reason ?? ''} at "$basePath", $others`, ({ basePath, others }) => {
  const asUsual = others === 'as usual';
  let running: HostUnderTest;

  beforeAll(async () => {
    const site = await buildMatrixSite(basePath);
    for (const { path, text } of apacheFiles(hostSiteOf(site))) {
      writeFileSync(join(site.output, path), text);
    }
    if (asUsual) writeFileSync(join(site.output, 'index.html'), 'The rest of the site.');
    const program = await startApache({ output: site.output, asUsual });
    running = { site, ask: askAt(program.port) };
    return async () => {
      await program.end();
      site.remove();
    };
  });

  test.each([
    '/content//posts/',
    '/content/posts//',
    '/content/./posts/',
    '/content/posts/slug/%252f/',
    '/content/posts/slug/%2e%2e/',
    '/content/posts/slug/x%5cy/',
  ])('%s is refused with the document, for readers of any site', async (path) => {
    const { status, headers, body } = await running.ask({ path: `${basePath}${path}` });
    expect(status).toBe(404);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cache-control']).not.toContain('max-age=0');
    expect(JSON.parse(body.toString())).toHaveProperty('errors');
  });

  test('paths that it refuses before it reads rules are announced', async () => {
    const paths = ['slug%2fwelcome', 'slug/x%00', 'slug/%zz', `slug/${'x'.repeat(3_000)}`];
    const own = paths.map((path) => running.ask({ path: `${basePath}/content/posts/${path}/` }));
    for (const { status, headers } of await Promise.all(own)) {
      expect(status).toBeOneOf([400, 403, 404]);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(apache.limitations(hostSiteOf(running.site)).join()).toMatch(/%2F, %00.*over 255 bytes/);
  });

  test('where it compresses by itself, nothing is compressed twice', async () => {
    const apache = await startApache({
      output: running.site.output,
      modules: ['filter', 'deflate'],
      // As Debian has it.
      directives: 'AddOutputFilterByType DEFLATE application/json\nAddType application/x-gzip .gz',
    });
    const headers = { 'accept-encoding': 'gzip' };
    const path = `${basePath}/content/posts/`;
    const answer = await askAt(apache.port)({ path, headers });
    await apache.end();
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers.vary).toBe('Accept-Version,Accept-Encoding');
    const file = readFileSync(join(running.site.content, 'posts/index.json'));
    expect(gunzipSync(answer.body).equals(file)).toBe(true);
  });

  checkHost(() => running, {
    missingHeaders: ['relative location'],
    sends: asUsual ? [] : ['br', 'gzip'],
    exceptions: (request) => {
      if (asUsual && /%2e%2e\/build/.test(request.path)) return 'it leads out of /content';
      return /slug\/[^?]{300}/.test(request.path)
        ? 'Apache asks the disk for the name before it reads rules'
        : ruleExceptions(request);
    },
  });
});
