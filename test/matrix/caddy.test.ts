import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { caddyFiles } from '../../src/hosts/caddy/files.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort, missing, startProgram } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('caddy', 'apt-get install caddy');

describe.skipIf(reason !== null).each(['', '/blog'])(
  `Caddy ${reason ?? ''} at "%s"`,
  (basePath) => {
    let running: HostUnderTest;

    beforeAll(async () => {
      const site = await buildMatrixSite(basePath);
      const folder = dirname(site.output);
      for (const file of caddyFiles(hostSiteOf(site)))
        writeFileSync(join(folder, file.path), file.text);
      const port = await freePort();
      writeFileSync(
        join(folder, 'Caddyfile'),
        `{
	admin off
	auto_https off
}
import ${folder}/prepress.caddy
http://127.0.0.1:${port} {
	bind 127.0.0.1
	import prepress
	respond "The rest of the site." 404
}
`,
      );
      const program = await startProgram(
        ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
        {
          cwd: folder,
          port,
          environment: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
        },
      );
      running = { site, ask: askAt(port) };
      return async () => {
        await program.end();
        site.remove();
      };
    });

    checkHost(() => running, { exceptions: ruleExceptions, sends: ['br', 'gzip'] });
  },
);
