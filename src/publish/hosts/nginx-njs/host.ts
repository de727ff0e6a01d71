// nginx with its module njs: the rules of nginx, and the executor for the queries that have no file.
import { existsSync } from 'node:fs';
import { bundleNjs } from '../bundles/bundle-njs.ts';
import type { Host, HostSite } from '../host.ts';
import { missingNotes } from '../limits/limitations.ts';
import { nginxFiles } from '../nginx/files.ts';
import { nginx, nginxLimitations, testRules } from '../nginx/host.ts';
import { placeId } from '../rules/publication-name.ts';

/** nginx finds the files of all publications by their names alone. */
const codeFile = (site: HostSite): string => `prepress-${placeId(site)}.njs.js`;

const NO_MEMORY =
  'njs keeps nothing between requests: each query reads the root and its blobs anew. Where a companion server can stand, plain nginx with otherQueries answers about ten times as many.';

const AS_STORED =
  'Records without a file by slug are found only by the slug as the database spells it, because njs 0.7.9 does not normalize Unicode.';

/** Where packages put the module. */
const MODULES = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/etc/nginx/modules'].map(
  (folder) => `${folder}/ngx_http_js_module.so`,
);

export const nginxNjs: Host = {
  ...nginx,
  name: 'nginx-njs',
  title: 'nginx with njs',
  profiles: ['literal', 'by-id', 'packed'],
  test: (place) => {
    const module = MODULES.find((file) => existsSync(file));
    return testRules(place, module === undefined ? '' : `load_module ${module};\n`);
  },
  use: `Install the module (Debian: libnginx-mod-http-js, which loads itself; else write "load_module modules/ngx_http_js_module.so;" at the top of nginx.conf).
In the http block, which includes mime.types:
  include "{folder}/prepress.nginx-http.conf";
In a server block:
  include "{folder}/prepress.nginx.conf";
Then: nginx -t && nginx -s reload
Where nginx sees the files under another path, write "js_path" with that folder before the first line.`,
  limitations: (site) => [
    NO_MEMORY,
    ...missingNotes(site.selection),
    ...(site.selection.profile === 'literal' ? [] : [AS_STORED]),
    ...nginxLimitations(site),
  ],
  files: async (site, folder) => [
    ...nginxFiles(withAll(site), { file: codeFile(site), folder }),
    { path: codeFile(site), text: await bundleNjs(site) },
  ],
};

/** Rules that find out what has a file, whatever other hosts do with the rest. */
const withAll = (site: HostSite): HostSite => ({
  ...site,
  queries: { ...site.queries, otherQueries: 'refuse' },
});
