// Hosts with a flaw, each of which the list has to notice: what it promises is held by a request in it.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, test } from 'vitest';
import { bundleEdge } from '../../src/hosts/bundle.ts';
import { askAt } from './ask.ts';
import { requestTrial } from './check-host.ts';
import { REQUESTS, type Request } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import { OTHER_HTTP, OTHER_SERVER } from './nginx-others.ts';
import { NGINX_INSTALL, nginxRules, startNginx } from './nginx-process.ts';
import { missing, type RunningProgram } from './program.ts';
import { buildMatrixSite, LONG_SLUG, type MatrixSite, UNICODE_SLUG } from './site.ts';
import { BROKEN, findDifferences, holdAll, type Trial } from './trials.ts';
import { startWorkerd } from './workerd-process.ts';

const slug = encodeURIComponent(UNICODE_SLUG);

/** What is wrong, the text that makes it so, and the requests that must notice. */
type Flaw = readonly [what: string, from: RegExp, to: string, notice: readonly string[]];

const NGINX: readonly Flaw[] = [
  [
    'encoded slashes are decoded before the path is looked at',
    /\|%2\[fF\]/g,
    '',
    ['/content/posts/slug%2fwelcome/', '/content/posts/slug%2Fwelcome%2findex.json'],
  ],
  ['doubled slashes are merged', /\(\?:\/\/\|/g, '(?:', ['/content//posts/']],
  [
    'a redirect loses the query',
    /\$is_args\$args/,
    '',
    [`/content/posts?include=tags%2Cauthors&key=1`],
  ],
  [
    'a redirect is made of the decoded path',
    /301 \$\w+_raw\//,
    '301 $uri/',
    [`/content/posts/slug/${slug}`],
  ],
  [
    'other locations are tried for documents',
    /location \^~/g,
    'location',
    [
      '/content/posts/slug/welcome/',
      '/content/posts/',
      '/content/images/a.png',
      '/ghost/api/v3/content/settings/',
    ],
  ],
  [
    'pictures and files are documents of the site',
    /add_header Content-Security-Policy [^\n]*/g,
    '',
    ['/content/images/drawing.svg', '/ghost/api/content/files/book.pdf'],
  ],
  ['times of the server are added', /expires off;/g, '', ['/content/posts/']],
  [
    'redirects name the address behind a proxy',
    /absolute_redirect off;/g,
    '',
    ['/content/posts?key=1'],
  ],
  ['redirects have a page', /error_page 301 .*/g, '', ['/content/posts?key=1']],
  [
    'versions are not called deprecated',
    /add_header Deprecation .*/g,
    '',
    ['/ghost/api/v3/content/settings/'],
  ],
  ['absent documents have an ETag', /etag off;/g, '', ['/content/posts/slug/none/']],
  ['a line feed ends a path', /\|%\[01\]\[0-9a-fA-F\]/g, '', ['/content/posts/%0A']],
  ['folders are redirected', /location = [^ ]*content \{[^}]*\}/, '', ['/content']],
  [
    'what is absent is kept for an hour',
    /max-age=10"/g,
    'max-age=3600"',
    ['/content/posts/slug/none/'],
  ],
  [
    'a redirect is kept for an hour',
    /max-age=31536000"/g,
    'max-age=3600"',
    ['/content/posts?include=tags%2Cauthors&key=1'],
  ],
  [
    'redirects say nothing to other versions',
    /add_header Vary [^\n]*/g,
    '',
    ['/content/posts?include=tags%2Cauthors&key=1', '/content/posts/', '/content/posts/slug/none/'],
  ],
  [
    'what is absent gets a page',
    /error_page 403 .*/g,
    '',
    ['/content/posts/slug/none/', '/content/'],
  ],
  ['documents say no charset', /charset(?:_types)? .*;/g, '', ['/content/posts/']],
  ['a 404 may not be read by other sites', / always;/g, ';', ['/content/posts/slug/none/']],
  [
    'an encoded comma is no comma',
    /\(\?:,\|%2\[cC\]\)/g,
    ',',
    ['/content/posts/?include=tags%2Cauthors'],
  ],
  ['any parameter that ends so counts', /\(\?:\^\|&\)/g, '', ['/content/posts/?xinclude=tags']],
  ['a filter is ignored', /"_f0"/g, '""', ['/content/tags/?filter=visibility:public']],
  ['pages are ignored', /"page-\$\w+"/g, '""', ['/content/authors/?page=2']],
  ['old versions are forgotten', /v2\|v3\|v4\|canary/g, 'v2', ['/ghost/api/v3/content/settings/']],
  ['preflights do not allow Accept-Version', /Accept-Version, /g, '', ['/content/posts/']],
  ['long slugs are not mapped', / *"~[^"]*長.*/, '', [`slug/${encodeURIComponent(LONG_SLUG)}`]],
];

const WORKER: readonly Flaw[] = [
  [
    'the home page is sent for what is absent',
    /\/\^text\\\/html\//,
    '/^none/',
    ['/content/posts/slug/none/', '/content/images/none.png'],
  ],
  [
    'paths are compared as they were sent',
    /encodeURIComponent\(decodeURIComponent\(/,
    'String(String(',
    ['/content/%70osts/?include=tags'],
  ],
  ['values are taken as they are', /\.toLowerCase\(\)/g, '', ['/content/posts/?include=TAGS']],
  [
    'slugs stay as they were sent',
    /\.normalize\((?:"NF[CD]")?\)/g,
    '',
    [`/content/posts/slug/${encodeURIComponent(UNICODE_SLUG.normalize('NFD'))}/`],
  ],
];

const reason = missing('nginx', NGINX_INSTALL);

const inserted = (text: string, [, from, to]: Flaw): string =>
  text.replace(from, to.replaceAll('$', '$$$$'));

const flawed = (text: string, flaw: Flaw): string => {
  const result = inserted(text, flaw);
  if (result === text) throw new Error(`The text has no place for this flaw: ${flaw[0]}.`);
  return result;
};

const requestsFor = (notice: string): Request[] =>
  REQUESTS.filter(
    ({ path }) => path === notice || (notice.startsWith('slug') && path.includes(notice)),
  );

/** The requests of a flaw that must notice it and do not: each must differ at one method at least. */
const unnoticed = async (host: HostUnderTest, [, , , notices]: Flaw): Promise<string[]> => {
  const found = await Promise.all(
    notices.map(async (notice) => {
      const trials = requestsFor(notice).map((request) => requestTrial(host, request));
      const differences = await findDifferences(trials);
      return differences.some(({ what }) => what !== BROKEN) ? [] : [notice];
    }),
  );
  return found.flat();
};

/** One row for each flaw; the list that every host is held to has to see all of them. */
const holdNoticed = async (
  flaws: readonly Flaw[],
  start: (flaw: Flaw) => Promise<HostUnderTest & RunningProgram>,
): Promise<void> => {
  const trials = flaws.map(
    (flaw): Trial => ({
      host: flaw[0],
      request: 'flaw',
      hold: async (compare) => {
        const host = await start(flaw);
        compare('unnoticed by', await unnoticed(host, flaw).finally(host.end), []);
      },
    }),
  );
  await holdAll(trials, 2);
};

let site: MatrixSite;

beforeAll(async () => {
  site = await buildMatrixSite();
  return () => site.remove();
});

test.skipIf(reason !== null)(`the list notices flaws of nginx ${reason ?? ''}`, () => {
  return holdNoticed(NGINX, async (flaw) => {
    const folder = mkdtempSync(join(dirname(site.output), 'nginx-'));
    const texts: string[] = [];
    const rules = nginxRules(site, folder, (text) => {
      texts.push(text);
      return inserted(text, flaw);
    });
    // In one of the two files at least.
    flawed(texts.join(''), flaw);
    const nginx = await startNginx({
      folder,
      http: `${OTHER_HTTP} ${rules.http}`,
      server: `${OTHER_SERVER} ${rules.server}`,
    });
    return { ...nginx, title: flaw[0], site, ask: askAt(nginx.port) };
  });
});

test('the list notices flaws of the worker', async () => {
  writeFileSync(join(site.output, 'index.html'), 'The home page.');
  const bundled = await bundleEdge({ entry: 'worker', site: hostSiteOf(site) });
  await holdNoticed(WORKER, async (flaw) => {
    const folder = mkdtempSync(join(dirname(site.output), 'workerd-'));
    const worker = flawed(bundled, flaw);
    const workerd = await startWorkerd({ folder, output: site.output, worker });
    return { ...workerd, title: flaw[0], site, ask: askAt(workerd.port) };
  });
});
