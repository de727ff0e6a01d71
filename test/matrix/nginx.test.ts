import { dirname, join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { OTHER_HTTP, OTHER_SERVER } from './nginx-others.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('nginx', NGINX_INSTALL);

describe.skipIf(reason !== null).each([
  { basePath: '', others: 'alone' },
  { basePath: '/blog', others: 'alone' },
  { basePath: '', others: 'beside a typical configuration' },
  { basePath: '/blog', others: 'beside a typical configuration' },
] as const)(`nginx ${reason ?? ''} at "$basePath", $others`, ({ basePath, others }) => {
  let running: HostUnderTest;
  const isAlone = others === 'alone';

  beforeAll(async () => {
    const site = await buildMatrixSite(basePath);
    const folder = join(dirname(site.output), 'nginx');
    const { http, server } = nginxRules(site, folder);
    const nginx = await startNginx({
      folder,
      http: isAlone ? http : `${OTHER_HTTP} ${http}`,
      server: isAlone ? server : `${OTHER_SERVER} ${server}`,
    });
    running = { site, ask: askAt(nginx.port) };
    return async () => {
      await nginx.end();
      site.remove();
    };
  });

  checkHost(() => running, { exceptions: ruleExceptions, sends: isAlone ? ['gzip'] : [] });
});
