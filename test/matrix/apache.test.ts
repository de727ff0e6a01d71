import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
import { apache } from '../../src/hosts/apache/host.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort, missing, startProgram } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('apache2', 'apt-get install apache2');
const MODULES = ['mpm_event', 'authz_core', 'mime', 'dir', 'rewrite', 'headers'];

describe.skipIf(reason !== null).each(['', '/blog'])(
  `Apache ${reason ?? ''} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const folder = dirname(site.output);
      for (const { path, text } of apacheFiles(hostSiteOf(site))) {
        writeFileSync(join(site.output, path), text);
      }
      const port = await freePort();
      const modules = MODULES.map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
      ).join('\n');
      writeFileSync(
        join(folder, 'httpd.conf'),
        `${modules}
ServerName 127.0.0.1
ServerRoot ${folder}
PidFile ${folder}/httpd.pid
Listen 127.0.0.1:${port}
ErrorLog ${folder}/error.log
TypesConfig /etc/mime.types
StartServers 1
ThreadsPerChild 4
MaxRequestWorkers 4
DocumentRoot ${site.output}
<Directory ${site.output}>
  AllowOverride All
  Require all granted
</Directory>
`,
      );
      const program = await startProgram(['apache2', '-X', '-f', join(folder, 'httpd.conf')], {
        cwd: folder,
        port,
      });
      running = { site, ask: askAt(port) };
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
      expect(apache.lacks(hostSiteOf(running.site)).join()).toMatch(/%2F, %00.*over 255 bytes/);
    });

    checkHost(() => running, {
      exceptions: (request) =>
        request.path.length > 1_000
          ? 'Apache asks the disk for the name before it reads rules'
          : ruleExceptions(request),
    });
  },
);
