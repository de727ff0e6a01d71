// nginx: rules in its own language, without a module.
import type { Host, HostSite, HostTest, TestPlace } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  otherQueryNotes,
} from '../limits/limitations.ts';
import { isRoutable, quoted } from '../rules/addresses.ts';
import { HTTP_FILE, nginxFiles, SERVER_FILE } from './files.ts';

const NO_BROTLI =
  'Brotli needs the module ngx_brotli, which few packages of nginx have (Debian: libnginx-mod-http-brotli-static): where it is loaded, write "brotli_static on;" where the rules name it; else no brotli is sent.';

const REFUSED_BY_ITSELF =
  'nginx refuses paths with %00 or a malformed escape (400), and TRACE (405), before it reads rules: with its own page, without CORS headers.';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  place: 'aside',
  namesRoot: 'absolute',
  isReloaded: true,
  redirects: 'all',
  asShield: {},
  test: (place) => testRules(place),
  limits: { parameterBytesMax: 4_096 },
  use: `In the http block, which includes mime.types:
  include "{folder}/prepress.nginx-http.conf";
In a server block:
  include "{folder}/prepress.nginx.conf";
Then: nginx -t && nginx -s reload`,
  limitations: (site) => [...otherQueryNotes(site, 'any'), ...nginxLimitations(site)],
  files: async (site) => nginxFiles(site),
};

export const nginxLimitations = (site: HostSite): string[] => [
  ...(site.encodings.includes('br') ? [NO_BROTLI] : []),
  REFUSED_BY_ITSELF,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  ...lostNames(site.names, isRoutable),
];

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** `modules`: directives that load what the rules need. */
export const testRules = ({ rules, folder, config }: TestPlace, modules = ''): HostTest => ({
  text: `${modules}pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${quoted(`${rules}/${HTTP_FILE}`)};
  server { listen unix:${folder}/socket; include ${quoted(`${rules}/${SERVER_FILE}`)}; }
}
`,
  command: ['nginx', '-t', '-q', '-e', 'stderr', '-p', folder, '-c', config],
});
