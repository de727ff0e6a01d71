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

/** A site of one page, with caching, compression and error pages of its own. */
const OTHERS = `
	root * /var/empty
	encode gzip
	try_files {path} /index.html
	@assets path *.json *.png
	header @assets Cache-Control "max-age=31536000"
	header -Server
	file_server
	redir /old /new 301
	handle_errors {
		rewrite * /{err.status_code}.html
		file_server
	}
`;

describe.skipIf(reason !== null).each([
  { basePath: '', others: 'alone' },
  { basePath: '/blog', others: 'alone' },
  { basePath: '', others: 'beside a typical site' },
  { basePath: '/blog', others: 'beside a typical site' },
] as const)(`Caddy ${reason ?? ''} at "$basePath", $others`, ({ basePath, others }) => {
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
${others === 'alone' ? '	respond "The rest of the site." 404' : OTHERS}
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

  checkHost(() => running, {
    exceptions: ruleExceptions,
    sends: others === 'alone' ? ['br', 'gzip'] : [],
  });
});
