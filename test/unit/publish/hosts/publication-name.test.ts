// Names that tell publications apart at a host, and what looks like one and is none.
import { expect, test } from 'vitest';
import { caddyFiles } from '../../../../src/publish/hosts/caddy/files.ts';
import { accountName, placeId } from '../../../../src/publish/hosts/rules/publication-name.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';

test('two containers whose host sees different folders have different names', () => {
  const idOf = (root: string, basePath = ''): string =>
    placeId(bareHostSite({ output: '/app/output', root, basePath }));
  expect(new Set([idOf('/srv/a'), idOf('/srv/b'), idOf('/srv/b', '/blog')]).size).toBe(3);
  expect(idOf('/srv/a')).toMatch(/^[0-9a-f]{4}$/);
});

test('an account has short names, and no two publications share one', () => {
  expect(accountName('https://example.com/', '')).toBe('prepress-example-com');
  expect(accountName('https://example.com', '')).toBe('prepress-example-com');
  expect(accountName('https://example.com/', '/blog')).toMatch(
    /^prepress-example-com-blog-[0-9a-f]{6}$/,
  );
  const long = `https://${'long.'.repeat(12)}example.com/`;
  const publications = [
    ...['https://example.com/', 'https://example.com:8080/', 'https://example-com/'],
    ...['https://my-site.com/', 'https://my.site.com/', 'https://example.com/a-b/', long],
    ...['https://example.com/a/b/', 'https://example.com/A/b/', `${long}blog/`],
  ].flatMap((url) => ['', '/blog', '/b-log'].map((basePath) => [url, basePath] as const));
  const seen = new Map<string, string>();
  for (const [url, basePath] of publications) {
    const name = accountName(url, basePath);
    expect(name).toMatch(/^[a-z0-9-]{10,50}$/);
    expect(`${seen.get(name)} has the name of ${url}${basePath}`).toMatch(/^undefined/);
    seen.set(name, `${url}${basePath}`);
  }
});

test('Caddy’s rules name folders and servers that are called like ours', () => {
  const root = '/srv/prepress_blog/the prepress folder';
  const { queries } = bareHostSite();
  const site = bareHostSite({
    root,
    queries: { ...queries, otherQueries: 'http://prepress_companion:4000' },
  });
  const [file] = caddyFiles(site);
  expect(file?.text).toContain(`root * "${root}"`);
  expect(file?.text).toContain('reverse_proxy http://prepress_companion:4000 {');
});
