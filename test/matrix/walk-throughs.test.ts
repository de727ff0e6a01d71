// The sites that documents have for nginx and Caddy, with pages: settings of hosts and work under way are sent in no spelling.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTINGS_NAMES } from '../../src/content/paths/settings-names.ts';
import { CADDY_INSTALL, startCaddy } from './caddy-process.ts';
import { spellingsOf } from './conformance.ts';
import { startHosts } from './hosts-of-file.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import type { MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

/** What a page has of a site below the folder of the publication, where that is another. */
const linesOf = (page: string, first: RegExp, { output }: MatrixSite): string => {
  const text = readFileSync(page, 'utf8').replaceAll('/srv/prepress/output', output);
  const [, lines] = first.exec(text) ?? [];
  if (lines === undefined) throw new Error(`${page} has no such lines.`);
  return lines;
};

const nginx = (page: string) => ({
  title: page,
  reason: missing('nginx', NGINX_INSTALL),
  start: (site: MatrixSite) => {
    const folder = join(dirname(site.output), page.replaceAll('/', '-'));
    const { http, server } = nginxRules(site, folder);
    const lines = linesOf(page, /^( *root [\s\S]*?\n *return 404;\n *\})$/m, site);
    return startNginx({ folder, http, server: `${server} ${lines}` });
  },
});

const SITES = [
  nginx('docs/hosts/nginx.md'),
  nginx('docs/pages.md'),
  {
    title: 'docs/hosts/caddy.md',
    reason: missing('caddy', CADDY_INSTALL),
    start: (site: MatrixSite) =>
      startCaddy(site, {
        others: linesOf('docs/hosts/caddy.md', /^( *\thandle \{\n[\s\S]*?\n *\t\})$/m, site),
      }),
  },
];

const CLOSED = [...SETTINGS_NAMES, '.git/config', 'sub/.git/config', '.prepress-pages/index.html'];
const OPEN = ['index.html', '.well-known/security.txt'];

const put = ({ output }: MatrixSite): void => {
  for (const name of [...CLOSED, ...OPEN]) {
    mkdirSync(dirname(join(output, name)), { recursive: true });
    writeFileSync(join(output, name), `Text of ${name}`);
  }
};

describe.each(SITES)('$title', ({ title, reason, start }) => {
  describe.skipIf(reason !== null)(reason ?? '', () => {
    const hosts = startHosts([
      {
        title,
        start: (site) => {
          put(site);
          return start(site);
        },
      },
    ]);

    test('settings are sent in no spelling, pages are', () =>
      holdAll(
        hosts().flatMap(({ ask }) => {
          const trial = (path: string, hold: Trial['hold']): Trial => ({
            host: title,
            request: path,
            hold,
          });
          return [
            ...CLOSED.flatMap(spellingsOf).map((path) =>
              trial(path, async (compare) => {
                const { status, body } = await ask({ path });
                compare('status', status, expect.toBeOneOf([400, 404]));
                compare('body', body.includes('Text of'), false);
              }),
            ),
            ...OPEN.map((name) =>
              trial(name, async (compare) =>
                compare(
                  'body',
                  (await ask({ path: `/${name}` })).body.toString(),
                  `Text of ${name}`,
                ),
              ),
            ),
          ];
        }),
      ));
  });
});
