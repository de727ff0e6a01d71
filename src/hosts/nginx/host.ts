// nginx: rules in its own language, without a module.
import type { Host } from '../host.ts';
import { lostNames, NO_KEY_CHECK, NO_NORMAL_FORMS } from '../lacks.ts';
import { isReachable, nginxFiles } from './files.ts';

const NO_BROTLI =
  'Brotli needs the module ngx_brotli, which few packages of nginx have (Debian: libnginx-mod-http-brotli-static): where it is loaded, write "brotli_static on;" where the rules name it; else no brotli is sent.';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  place: 'aside',
  limits: {},
  use: 'In a server block: "include .../prepress.nginx.conf;", then: nginx -t && nginx -s reload',
  lacks: (site) => [
    ...(site.encodings.includes('br') ? [NO_BROTLI] : []),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    ...lostNames(site.names, isReachable),
  ],
  files: async (site) => nginxFiles(site),
};
