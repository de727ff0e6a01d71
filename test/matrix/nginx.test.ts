import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';
import { conditionTrials } from './check-conditions.ts';
import { encodingTrials } from './check-encodings.ts';
import { hostTrials } from './check-host.ts';
import { type Configuration, startHosts } from './hosts-of-file.ts';
import { OTHER_HTTP, OTHER_SERVER } from './nginx-others.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { holdAll } from './trials.ts';

const reason = missing('nginx', NGINX_INSTALL);

const ALONE: Configuration['start'] = (site) => {
  const folder = join(dirname(site.output), 'nginx');
  return startNginx({ folder, ...nginxRules(site, folder) });
};

const BESIDE: Configuration['start'] = (site) => {
  const folder = join(dirname(site.output), 'nginx-beside');
  const { http, server } = nginxRules(site, folder);
  return startNginx({
    folder,
    http: `${OTHER_HTTP} ${http}`,
    server: `${OTHER_SERVER} ${server}`,
  });
};

describe.skipIf(reason !== null)(`nginx ${reason ?? ''}`, () => {
  const hosts = startHosts([
    { title: 'alone', start: ALONE },
    { title: 'alone', basePath: '/blog', start: ALONE },
    { title: 'beside a typical configuration', start: BESIDE },
  ]);

  test('documents and addresses', () =>
    holdAll(hosts().flatMap((host) => hostTrials(host, { exceptions: ruleExceptions }))));

  test('conditions and ranges', () => holdAll(hosts().flatMap(conditionTrials)));

  test('encodings', () =>
    holdAll(
      hosts()
        .filter(({ title }) => title.startsWith('alone'))
        .flatMap((host) => encodingTrials(host, ['gzip'])),
    ));
});
