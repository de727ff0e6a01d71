// Redirects of hosts whose rules know no regular expressions: what is written for them, what is named instead, and what Netlify's own
// engine makes of it.
import redirector from 'netlify-redirector';
import { expect, test } from 'vitest';
import { cloudflareFiles } from '../../../../src/publish/hosts/cloudflare/files.ts';
import { HOSTS } from '../../../../src/publish/hosts/hosts.ts';
import { redirectNotes } from '../../../../src/publish/hosts/limits/limitations.ts';
import { netlifyFiles } from '../../../../src/publish/hosts/netlify/files.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';
import { REDIRECTS } from '../../../helpers/redirects.ts';

const SITE = bareHostSite({ redirects: REDIRECTS, basePath: '/base' });

test('Cloudflare gets lines without regular expressions, for both ends of a path', async () => {
  const file = (await cloudflareFiles(SITE)).find(({ path }) => path === '_redirects');
  expect(file?.isInOutput).toBe(true);
  expect(file?.text.split('\n').slice(1)).toEqual([
    '/base/moved/:g1 /base/new/:g1/ 301',
    '/base/moved/:g1/ /base/new/:g1/ 301',
    '/base/old /base/new/ 302',
    '/base/old/ /base/new/ 302',
    '/base/files/a.b https://cdn.example/files/a.b 301',
    '/base/files/a.b/ https://cdn.example/files/a.b 301',
    '/base/part /base/whole/#part 301',
    '/base/part/ /base/whole/#part 301',
    '/base/both /base/whole/?a=b#part 301',
    '/base/both/ /base/whole/?a=b#part 301',
    '/base/blog/* https://blog.example/:splat 302',
    '/base/blog/later /base/never/ 301',
    '/base/blog/later/ /base/never/ 301',
    '/base/stra%C3%9Fe /base/street/100%25/ 301',
    '/base/stra%C3%9Fe/ /base/street/100%25/ 301',
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

test('each host names what it is not given', () => {
  const notes = HOSTS.map((host) => [host.name, redirectNotes(host, REDIRECTS).join()]);
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
