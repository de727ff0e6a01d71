// What a CDN in front of any server of the interface keeps apart: the parameters that choose a document. Clients
// send `key` and `slug` besides; left in the cache's key they would keep one document many times, at addresses that no
// list to purge can name. `key` stays where the server behind checks it, so that nobody is sent what it would refuse.
import { type HostFile, type HostSite, jsonFile } from '../host.ts';
import { cachePolicy } from '../rules/cache-policy.ts';

/** Parameters that choose a document, or a refusal. */
const CHOOSING = ['include', 'filter', 'page', 'limit', 'order', 'fields', 'formats'];

export const cdnFiles = (site: HostSite): HostFile[] => {
  const names = site.checksKey ? [...CHOOSING, 'key'] : CHOOSING;
  return [
    jsonFile('cloudfront-cache-policy.json', cloudfrontPolicy(names)),
    jsonFile('cloudflare-cache-rule.json', cloudflareRule(site.basePath, names)),
    { path: 'fastly.vcl', text: fastlyRule(site.basePath, names) },
    jsonFile('bunny-pull-zone.json', bunnyZone(names)),
  ];
};

/** For `aws cloudfront create-cache-policy`. */
const cloudfrontPolicy = (names: readonly string[]): unknown => ({
  Name: 'prepress',
  ...cachePolicy({
    QueryStringBehavior: 'whitelist',
    QueryStrings: { Quantity: names.length, Items: names },
  }),
});

/** For the phase `http_request_cache_settings` of the Rulesets API. */
const cloudflareRule = (basePath: string, names: readonly string[]): unknown => ({
  description: 'Prepress',
  expression: [`${basePath}/content/`, '/ghost/api/']
    .map((path) => `starts_with(http.request.uri.path, "${path}")`)
    .join(' or '),
  action: 'set_cache_settings',
  action_parameters: {
    cache: true,
    edge_ttl: { mode: 'respect_origin' },
    browser_ttl: { mode: 'respect_origin' },
    cache_key: { custom_key: { query_string: { include: { list: names } } } },
  },
});

/** A snippet for vcl_recv. */
const fastlyRule = (basePath: string, names: readonly string[]): string =>
  `# Written by "prepress hosts write cdn". A snippet for vcl_recv.
if (req.url.path ~ "^(?:${basePath}/content|(?:${basePath})?/ghost/api)/") {
  set req.url = querystring.filter_except(req.url, ${names.map((name) => `"${name}"`).join(' + querystring.filtersep() + ')});
  set req.url = querystring.sort(req.url);
}
`;

/** For "Update Pull Zone". */
const bunnyZone = (names: readonly string[]): unknown => ({
  IgnoreQueryStrings: false,
  EnableQueryStringOrdering: true,
  QueryStringVaryParameters: names,
});
