import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { nginxFiles } from '../../src/hosts/nginx/files.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('nginx', NGINX_INSTALL);

describe.skipIf(reason !== null).each(['', '/blog'])(
  `nginx ${reason ?? ''} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const folder = join(dirname(site.output), 'nginx');
      const rules = join(dirname(site.output), 'prepress.nginx.conf');
      for (const file of nginxFiles(hostSiteOf(site))) writeFileSync(rules, file.text);
      const nginx = await startNginx({ folder, server: `include ${rules};` });
      running = { site, ask: askAt(nginx.port) };
      return async () => {
        await nginx.end();
        site.remove();
      };
    });

    checkHost(() => running, { exceptions: ruleExceptions, sends: ['gzip'] });
  },
);
