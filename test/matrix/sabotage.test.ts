// Hosts with a flaw, each of which the list has to notice: what it promises is held by a request in it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleEdge } from '../../src/hosts/bundle.ts';
import { nginxFiles } from '../../src/hosts/nginx/files.ts';
import { askAt } from './ask.ts';
import { checkRequest } from './check-host.ts';
import { REQUESTS, type Request } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { buildMatrixSite, LONG_SLUG, type MatrixSite, UNICODE_SLUG } from './site.ts';
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
    /\$prepress_raw\//,
    '$uri/',
    [`/content/posts/slug/${slug}`],
  ],
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
  ['what is absent gets a page', /error_page .*/, '', ['/content/posts/slug/none/', '/content/']],
  ['documents say no charset', /charset utf-8;/g, '', ['/content/posts/']],
  ['a 404 may not be read by other sites', / always;/g, ';', ['/content/posts/slug/none/']],
  [
    'an encoded comma is no comma',
    /\(\?:,\|%2\[cC\]\)/g,
    ',',
    ['/content/posts/?include=tags%2Cauthors'],
  ],
  ['any parameter that ends so counts', /\(\?:\^\|&\)/g, '', ['/content/posts/?xinclude=tags']],
  [
    'a filter is ignored',
    /\{prepress_variant\}-public/g,
    '{prepress_variant}',
    ['/content/tags/?filter=visibility:public'],
  ],
  [
    'pages are ignored',
    /"-page-\$1\$prepress_variant"/g,
    '$prepress_variant',
    ['/content/authors/?page=2'],
  ],
  ['old versions are forgotten', /v2\|v3\|v4\|canary/g, 'v2', ['/ghost/api/v3/content/settings/']],
  ['preflights do not allow Accept-Version', /Accept-Version, /g, '', ['/content/posts/']],
  [
    'long slugs are not mapped',
    /location ~ "[^"]*長[^}]*\}/,
    '',
    [`slug/${encodeURIComponent(LONG_SLUG)}`],
  ],
];

const reason = missing('nginx', NGINX_INSTALL);

let site: MatrixSite;

beforeAll(async () => {
  site = await buildMatrixSite();
  return () => site.remove();
});

const flawed = (text: string, [what, from, to]: Flaw): string => {
  const result = text.replace(from, to.replaceAll('$', '$$$$'));
  if (result === text) throw new Error(`The text has no place for this flaw: ${what}.`);
  return result;
};

const requestsFor = (notice: string): Request[] =>
  REQUESTS.filter(
    ({ path }) => path === notice || (notice.startsWith('slug') && path.includes(notice)),
  );

/** Every request named must fail at one method at least. */
const expectNoticed = async (port: number, [, , , notices]: Flaw): Promise<void> => {
  for (const notice of notices) {
    const requests = requestsFor(notice);
    const results = await Promise.allSettled(
      requests.map((request) => checkRequest({ site, ask: askAt(port) }, request)),
    );
    expect(
      results.some(({ status }) => status === 'rejected'),
      notice,
    ).toBe(true);
  }
};

describe.skipIf(reason !== null)(`nginx ${reason ?? ''}`, () => {
  test.each(NGINX.map((flaw) => [flaw[0], flaw] as const))('%s: noticed', async (_, flaw) => {
    const folder = dirname(site.output);
    const file = join(folder, 'flawed.conf');
    writeFileSync(file, flawed(nginxFiles(hostSiteOf(site))[0]?.text ?? '', flaw));
    const nginx = await startNginx({ folder: join(folder, 'nginx'), server: `include ${file};` });
    try {
      await expectNoticed(nginx.port, flaw);
    } finally {
      await nginx.end();
    }
  });
});

const WORKER: readonly Flaw[] = [
  [
    'paths are compared as they were sent',
    /encodeURIComponent\(decodeURIComponent\(/,
    'String(String(',
    ['/content/%70osts/?include=tags'],
  ],
  ['values are taken as they are', /\.toLowerCase\(\)/g, '', ['/content/posts/?include=TAGS']],
  [
    'slugs stay as they were sent',
    /\.normalize\("NFC"\)/,
    '',
    [`/content/posts/slug/${encodeURIComponent(UNICODE_SLUG.normalize('NFD'))}/`],
  ],
];

test.each(WORKER.map((flaw) => [flaw[0], flaw] as const))(
  'workerd, %s: noticed',
  async (_, flaw) => {
    const folder = join(dirname(site.output), 'workerd');
    mkdirSync(folder, { recursive: true });
    const worker = flawed(await bundleEdge({ entry: 'worker', site: hostSiteOf(site) }), flaw);
    const workerd = await startWorkerd({ folder, output: site.output, worker });
    try {
      await expectNoticed(workerd.port, flaw);
    } finally {
      await workerd.end();
    }
  },
);
