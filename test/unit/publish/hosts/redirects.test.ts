// Redirects of hosts whose rules know no regular expressions: what is written for them, what is named instead, and what Netlify's own
// engine makes of it.
import redirector from 'netlify-redirector';
import { expect, test } from 'vitest';
import { REDIRECT_LINES_MAX } from '../../../../src/base/limits.ts';
import {
  type Redirect,
  readRedirect,
} from '../../../../src/publication/store/content/redirects.ts';
import { cloudflareFiles } from '../../../../src/publish/hosts/cloudflare/files.ts';
import { HOSTS } from '../../../../src/publish/hosts/hosts.ts';
import { redirectNotes } from '../../../../src/publish/hosts/limits/limitations.ts';
import { netlifyFiles } from '../../../../src/publish/hosts/netlify/files.ts';
import { netlifyEdgeFiles } from '../../../../src/publish/hosts/netlify-edge/files.ts';
import {
  CLOUDFLARE_REDIRECTS,
  NETLIFY_REDIRECTS,
  planPlainRedirects,
} from '../../../../src/publish/hosts/rules/plain-redirects.ts';
import { vercelFiles } from '../../../../src/publish/hosts/vercel/files.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';
import { REDIRECTS } from '../../../helpers/redirects.ts';

const SITE = bareHostSite({ redirects: REDIRECTS, basePath: '/base' });

test('Cloudflare gets lines without regular expressions, for both ends of a path', async () => {
  const file = (await cloudflareFiles(SITE)).find(({ path }) => path === '_redirects');
  expect(file?.isInOutput).toBe(true);
  expect(file?.text.split('\n').slice(1)).toEqual([
    '/base/old /base/new/ 302',
    '/base/old/ /base/new/ 302',
    '/base/files/a.b https://cdn.example/files/a.b 301',
    '/base/files/a.b/ https://cdn.example/files/a.b 301',
    '/base/part /base/whole/#part 301',
    '/base/part/ /base/whole/#part 301',
    '/base/both /base/whole/?a=b#part 301',
    '/base/both/ /base/whole/?a=b#part 301',
    '/base/stra%C3%9Fe /base/street/100%25/ 301',
    '/base/stra%C3%9Fe/ /base/street/100%25/ 301',
    '/base/caf%C3%A9 /base/coffee/ 301',
    '/base/caf%C3%A9/ /base/coffee/ 301',
    '/base/exact /base/exactly/ 301',
    '/base/moved/:g1 /base/new/:g1/ 301',
    '/base/moved/:g1/ /base/new/:g1/ 301',
    '/base/blog/* https://blog.example/:splat 302',
    '/base/blog/later /base/never/ 301',
    '/base/blog/later/ /base/never/ 301',
    '/base/route/:g1/ /base/app/#:g1 301',
    '',
  ]);
  const none = await cloudflareFiles(bareHostSite());
  expect(none.some(({ path }) => path === '_redirects')).toBe(false);
});

test("Netlify's engine finds them after the rules of the interface, whatever file is there", async () => {
  const rules = await redirector.parsePlain(netlifyFiles(SITE)[0]?.text ?? '', {});
  const match = (path: string) => {
    const found = rules.match({
      ...{ scheme: 'https', host: 'site.test', path, query: '', headers: {} },
      ...{ getHeader: () => '', getCookie: () => '' },
    });
    return found === null ? null : [found.status, found.to];
  };
  expect(match('/base/moved/a/')).toEqual([301, '/base/new/a/']);
  expect(match('/base/blog/2020/a')).toEqual([302, 'https://blog.example/2020/a']);
  expect(match('/base/content/posts/')).toEqual([200, '/base/content/posts/index.json']);
});

test('what a line would mean otherwise is left out', () => {
  const left = [
    ['/old', '/old/'],
    ['^/a/([^/]+)/b/(.*)$', '/$1/$2'],
    ['^/a/([^/]+)/$', '/$1-new/'],
    ['^/a/([^/]+)/$', '/:splat/$1/'],
    ['^/content/(.*)$', '/$1'],
  ].map(([from = '', to = '']) => readRedirect({ from, to, permanent: true }));
  const site = { redirects: left, basePath: '' };
  expect(planPlainRedirects(site, NETLIFY_REDIRECTS)).toEqual({ lines: [], left });
});

/** Of these addresses, each to its target. */
const readAll = (pairs: readonly (readonly [string, string])[]): Redirect[] =>
  pairs.map(([from, to]) => readRedirect({ from, to, permanent: true }));

test('Cloudflare, which counts every line after the first with a name as one, gets whole paths first', () => {
  const fixed = Array.from({ length: 150 }, (_, at) => [`/fixed/${at}/`, '/to/'] as const);
  const redirects = readAll([
    ['^/named/([^/]+)/$', '/$1/'],
    ...fixed,
    ['/named/later/', '/never/'],
    ['/blog.x/(.*)', '/new/$1'],
    ['/blog-x/a', '/reached/'],
    ['^/one/([^/]+)$', '/two/$1/'],
    ['^/one/a/b$', '/reached/'],
    ['/blog.x/a', '/never/'],
  ]);
  const { lines, left } = planPlainRedirects({ redirects, basePath: '' }, CLOUDFLARE_REDIRECTS);
  expect(left).toEqual([]);
  expect(lines.slice(0, 303)).toEqual([
    ...fixed.flatMap(([from, to]) => [`${from.slice(0, -1)} ${to} 301`, `${from} ${to} 301`]),
    '/blog-x/a /reached/ 301',
    '/blog-x/a/ /reached/ 301',
    '/one/a/b /reached/ 301',
  ]);
  expect(lines.slice(303)).toEqual([
    '/named/:g1/ /:g1/ 301',
    '/named/later /never/ 301',
    '/named/later/ /never/ 301',
    '/blog.x/* /new/:splat 301',
    '/one/:g1 /two/:g1/ 301',
    '/blog.x/a /never/ 301',
    '/blog.x/a/ /never/ 301',
  ]);
});

test('what Cloudflare refuses as an endless loop is left out there', () => {
  const refused = readAll([
    ['^/app/(.*)$', '/app/index.html'],
    ['/home/', '/start/index'],
  ]);
  const taken = readAll([
    ['^/exact$', '/start/index.html'],
    ['^/other/(.*)$', 'https://other.example/index.html'],
    ['^/query/$', '/start/index.html?a=b'],
  ]);
  const site = { redirects: [...refused, ...taken], basePath: '/base' };
  expect(planPlainRedirects(site, CLOUDFLARE_REDIRECTS).left).toEqual(refused);
  expect(planPlainRedirects(site, NETLIFY_REDIRECTS).left).toEqual([]);
});

test('Cloudflare gets as many as it takes, and the others are named', () => {
  const many = (count: number, from: (at: number) => string, to = '/to/'): Redirect[] =>
    Array.from({ length: count }, (_, at) => readRedirect({ from: from(at), to, permanent: true }));
  const redirects = [
    ...many(1_001, (at) => `/fixed/${at}/`),
    ...many(101, (at) => `^/named/${at}/([^/]+)/$`, '/$1/'),
    ...many(1, () => '/long/', `/${'ü'.repeat(200)}/`),
  ];
  const site = { redirects, basePath: '' };
  const { lines, left } = planPlainRedirects(site, CLOUDFLARE_REDIRECTS);
  expect(lines).toHaveLength(2_100);
  const names = left.map(({ from }) => from);
  expect(names).toEqual(['/fixed/1000/', '^/named/100/([^/]+)/$', '/long/']);
  const notes = redirectNotes({ redirects: CLOUDFLARE_REDIRECTS }, site);
  expect(notes.join()).toContain(names.join(', '));
  expect(planPlainRedirects(site, NETLIFY_REDIRECTS).left).toEqual([]);
});

test('all redirects that a publication may have fit the 2,048 routes of Vercel', async () => {
  const redirects = Array.from({ length: REDIRECT_LINES_MAX }, (_, at) =>
    readRedirect({ from: `/${at}/`, to: '/to/', permanent: true }),
  );
  const [config] = await vercelFiles(bareHostSite({ redirects }));
  expect(JSON.parse(config?.text ?? '').routes.length).toBeLessThanOrEqual(2_048);
});

test("Netlify's lines count before its files, beside a function too", async () => {
  const texts = [...netlifyFiles(SITE), ...(await netlifyEdgeFiles(SITE))].filter(
    ({ path }) => path === '_redirects',
  );
  for (const { text } of texts) expect(text).toContain('/base/old /base/new/ 302!\n');
  expect(texts).toHaveLength(2);
});

test('each host names what it is not given', () => {
  const notes = HOSTS.map((host) => [host.name, redirectNotes(host, SITE).join()]);
  const given = Object.fromEntries(notes);
  for (const name of ['nginx', 'nginx-njs', 'caddy', 'apache', 'vercel'])
    expect(given[name]).toBe('');
  for (const name of ['netlify', 'netlify-edge', 'cloudflare', 'cloudflare-pages']) {
    expect(given[name]).toContain('^/(about|imprint)-us/');
    expect(given[name]).not.toContain('/old/');
  }
  for (const name of ['varnish', 'cloudfront', 'firebase', 'github-pages', 'gitlab-pages', 'cdn'])
    expect(given[name]).toContain('/old/');
});
