// The cache key of a CDN: what chooses a document, and the content key where the server behind checks it.
import { expect, test } from 'vitest';
import { purgeAddresses } from '../../../../src/publish/deploy/purge/purge.ts';
import { cdnFiles } from '../../../../src/publish/hosts/cdn/files.ts';
import { cdn } from '../../../../src/publish/hosts/cdn/host.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';

const siteWith = (checksKey: boolean) => bareHostSite({ basePath: '/blog', checksKey });

const named = (checksKey: boolean): string[][] => {
  const texts = new Map(cdnFiles(siteWith(checksKey)).map(({ path, text }) => [path, text]));
  const parsed = (name: string) => JSON.parse(texts.get(name) ?? '');
  const { QueryStringsConfig } = parsed(
    'cloudfront-cache-policy.json',
  ).ParametersInCacheKeyAndForwardedToOrigin;
  expect(QueryStringsConfig.QueryStrings.Quantity).toBe(
    QueryStringsConfig.QueryStrings.Items.length,
  );
  const rule = parsed('cloudflare-cache-rule.json');
  expect(rule.expression).toContain('"/blog/content/"');
  const fastly = texts.get('fastly.vcl') ?? '';
  const [, kept = ''] = /filter_except\(req\.url, (.*)\);/.exec(fastly) ?? [];
  return [
    QueryStringsConfig.QueryStrings.Items,
    rule.action_parameters.cache_key.custom_key.query_string.include.list,
    [...kept.matchAll(/"(\w+)"/g)].map(([, name]) => name ?? ''),
    parsed('bunny-pull-zone.json').QueryStringVaryParameters,
  ];
};

const CHOOSING = ['include', 'filter', 'page', 'limit', 'order', 'fields', 'formats'];

test.each([
  [false, CHOOSING],
  [true, [...CHOOSING, 'key']],
])('where the server behind checks keys (%s), each CDN keeps apart %j', (checksKey, names) => {
  for (const list of named(checksKey)) expect(list).toEqual(names);
  expect(cdn.limitations(siteWith(checksKey)).join()).toContain(
    checksKey ? 'is part of the cache key' : 'is not part of the cache key',
  );
});

test('the addresses to purge are made of these parameters', () => {
  const used = purgeAddresses('tags/page-2-public-count-posts.json', { basePath: '' }).flatMap(
    (address) => [...address.matchAll(/[?&](\w+)=/g)].map(([, name]) => name),
  );
  expect(new Set(used)).toEqual(new Set(['include', 'filter', 'page']));
});
