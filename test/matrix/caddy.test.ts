import { beforeAll, describe } from 'vitest';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { buildMatrixSite } from './site.ts';

const reason = missing('caddy', CADDY_INSTALL);

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
    const caddy = await startCaddy(site, {
      others: others === 'alone' ? '	respond "The rest of the site." 404' : OTHERS,
    });
    running = { site, ask: askAt(caddy.port) };
    return async () => {
      await caddy.end();
      site.remove();
    };
  });

  checkHost(() => running, {
    exceptions: ruleExceptions,
    sends: others === 'alone' ? ['br', 'gzip'] : [],
  });
});
