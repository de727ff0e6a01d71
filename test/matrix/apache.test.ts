import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { apacheFiles } from '../../src/hosts/apache/files.ts';
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

    checkHost(() => running, {
      exceptions: (request) =>
        request.path.length > 1_000
          ? 'Apache asks the disk for the name before it reads rules'
          : ruleExceptions(request),
    });
  },
);
