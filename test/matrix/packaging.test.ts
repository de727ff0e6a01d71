// packaging/nginx.conf before the companion server, as compose.yaml has them: readers and the desk have an origin each, no
// document is sent around the key, whatever the base path, and headers are those of the table.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PAGE_HEADERS } from '../../src/content/paths/headers.ts';
import { SETTINGS_NAMES } from '../../src/content/paths/settings-names.ts';
import { askAt } from './ask.ts';
import { hostTrials } from './check-host.ts';
import { startCompanion } from './companion-process.ts';
import { DISGUISES } from './conformance.ts';
import { type Configuration, startHosts } from './hosts-of-file.ts';
import { NGINX_INSTALL } from './nginx-process.ts';
import { type PackagedNginx, startPackagedNginx } from './packaged-nginx.ts';
import { missing } from './program.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

const reason = missing('nginx', NGINX_INSTALL);

const HTML = '<!DOCTYPE html><title>Page</title><script>1</script>\n';
const BROWSER = { accept: 'text/html' };

/** Pages, and what other programs leave beside them. */
const FILES: Readonly<Record<string, string>> = {
  'index.html': HTML,
  'about/index.html': HTML,
  'tag/content/index.html': HTML,
  '404.html': '<!DOCTYPE html><title>Absent</title>\n',
  '.prepress-staging-1/about/index.html': HTML,
  '.prepress-staging-1/content/posts/index.json': '{"posts":["Body"]}',
  ...Object.fromEntries(SETTINGS_NAMES.map((name) => [name, 'Body'])),
};

const start =
  (contentKey: 'optional' | 'required'): Configuration<PackagedNginx>['start'] =>
  async (site: MatrixSite) => {
    for (const [file, text] of Object.entries(FILES)) {
      const path = join(site.output, site.basePath, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const companion = await startCompanion(site, contentKey);
    const nginx = await startPackagedNginx({
      folder: join(dirname(site.output), `nginx-${contentKey}`),
      output: site.output,
      companion: companion.port,
    });
    return { ...nginx, end: () => nginx.end().then(companion.end) };
  };

/** What holds a key, or takes one. */
const CLOSED = [
  ...['/desk', '/desk/', '/desk/desk.js', '/docs/', '/docs/admin.json', '/admin', '/admin/'],
  ...['/admin/site/', '/admin/posts/', '/admin/posts/content/', '/admin/posts/slug/content/'],
  ...['/ghost/api/admin/site/', '/ghost/api/v4/admin/site/', '/ghost/api/canary/admin/content/'],
  ...['/hooks/build/token', '/hooks/build/content/', '/%64esk/', '//desk/', '/x/../desk/'],
  ...['//admin/site/', '//ghost/api/admin/site/', '//hooks/build/token'],
  ...['/admin/posts/..%2f..%2fcontent/', '/%61dmin/site/%2e%2e/%2e%2e/content/posts/'],
  ...['/admin/..%2funsubscribe/', '/ghost/api/admin/site/..%2f..%2f..%2fcontent/'],
  ...['/content/../desk/', '/content/..%2fdesk/', '/content/%2e%2e/admin/site/', '/health'],
];

const HIDDEN = [
  ...['/.prepress-staging-1/about/', '/.prepress-staging-1/about/index.html'],
  ...SETTINGS_NAMES.map((name) => `/${name}`),
  ...['/.prepress-staging-1/content/posts/index.json', '/%2eprepress-staging-1/about/'],
  ...['/about/../.prepress-staging-1/content/posts/index.json', '/content/.prepress-absent'],
];

describe.skipIf(reason !== null)(`packaging/nginx.conf ${reason ?? ''}`, () => {
  const hosts = startHosts([
    { title: 'readers', start: start('optional') },
    { title: 'readers, with keys', start: start('required') },
    { title: 'readers, with keys', basePath: '/blog', start: start('required') },
    { title: 'readers, with keys', basePath: '/docs', start: start('required') },
  ]);

  test('documents, addresses and media', () =>
    holdAll(
      hosts()
        .slice(0, 1)
        .flatMap((host) => hostTrials(host, { answersAll: true, exceptions: rawByteExceptions })),
    ));

  test('no document passes without a key, nothing hidden passes, and the desk is elsewhere', () =>
    holdAll(
      hosts()
        .slice(1)
        .flatMap(({ title, site, ask }) => {
          const named = [...DISGUISES, ...CLOSED, ...HIDDEN, '/content/posts/index.json'];
          const paths = new Set(named.flatMap((path) => [path, `${site.basePath}${path}`]));
          // The home of a publication that is called so.
          paths.delete(`${site.basePath}/`);
          return [...paths].map(
            (path): Trial => ({
              host: title,
              request: path,
              hold: async (compare) => {
                const { status, body } = await ask({ path, headers: BROWSER });
                compare('status', status, expect.toBeOneOf([400, 403, 404]));
                compare('body', /Body|id="desk"|swagger/.test(body.toString()), false);
              },
            }),
          );
        }),
    ));

  test('pages and files have the headers of the table, and no policy', async () => {
    for (const { site, ask } of hosts().slice(0, 3)) {
      for (const path of ['/', '/about/', '/about/index.html']) {
        const { status, headers, body } = await ask({ path: `${site.basePath}${path}` });
        expect([path, status, body.toString()]).toEqual([path, 200, HTML]);
        const sent = PAGE_HEADERS.map(([name]) => [name, headers[name.toLowerCase()]]);
        expect([path, sent]).toEqual([path, PAGE_HEADERS]);
        expect([path, headers['content-security-policy']]).toEqual([path, undefined]);
      }
    }
  });

  test('what the companion server answers passes: links of mails, and pages that look like documents', async () => {
    for (const { site, ask } of hosts().slice(0, 3)) {
      for (const [path, expected] of [
        ['/unsubscribe/?uuid=a&key=b', 400],
        ['/newsletters/verify/?token=a', 404],
        ['/tag/content/', 200],
      ] as const) {
        const { status, headers } = await ask({ path: `${site.basePath}${path}` });
        expect([path, status]).toEqual([path, expected]);
        expect([path, headers['content-security-policy']]).toEqual([
          path,
          expect.stringContaining("frame-ancestors 'none'"),
        ]);
      }
    }
  });

  test('the desk’s origin has the desk, and pages with the policy of the companion server', async () => {
    for (const { site, deskPort } of hosts().slice(0, 3)) {
      const ask = askAt(deskPort);
      for (const path of ['/desk/', '/docs/', '/', '/about/']) {
        const { status, headers } = await ask({ path: `${site.basePath}${path}` });
        expect([path, status]).toEqual([path, 200]);
        expect([path, headers['content-security-policy']]).toEqual([
          path,
          expect.stringMatching(/script-src '(?:self|none)'.*base-uri 'none'/),
        ]);
      }
      expect((await ask({ path: `${site.basePath}/admin/posts/` })).status).toBe(401);
    }
  });
});
