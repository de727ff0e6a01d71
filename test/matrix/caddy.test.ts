import { describe, test } from 'vitest';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { conditionTrials } from './check-conditions.ts';
import { encodingTrials } from './check-encodings.ts';
import { hostTrials } from './check-host.ts';
import { type Configuration, startHosts } from './hosts-of-file.ts';
import { missing } from './program.ts';
import { ruleExceptions } from './rule-exceptions.ts';
import { holdAll } from './trials.ts';

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

const ALONE: Configuration['start'] = (site) =>
  startCaddy(site, { others: '	respond "The rest of the site." 404' });

describe.skipIf(reason !== null)(`Caddy ${reason ?? ''}`, () => {
  const hosts = startHosts([
    { title: 'alone', start: ALONE },
    { title: 'alone', basePath: '/blog', start: ALONE },
    { title: 'beside a typical site', start: (site) => startCaddy(site, { others: OTHERS }) },
  ]);

  test('documents and addresses', () =>
    holdAll(hosts().flatMap((host) => hostTrials(host, { exceptions: ruleExceptions }))));

  test('conditions and ranges', () => holdAll(hosts().flatMap(conditionTrials)));

  test('encodings', () =>
    holdAll(
      hosts()
        .filter(({ title }) => title.startsWith('alone'))
        .flatMap((host) => encodingTrials(host, ['br', 'gzip'])),
    ));
});
