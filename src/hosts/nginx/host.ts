// nginx: rules in its own language, without a module.
import type { Host } from '../host.ts';
import { lostNames, NO_KEY_CHECK, NO_NORMAL_FORMS } from '../lacks.ts';
import { isReachable, nginxFiles } from './files.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  place: 'aside',
  limits: {},
  use: 'In a server block: "include .../prepress.nginx.conf;", then: nginx -t && nginx -s reload',
  lacks: (site) => [NO_KEY_CHECK, NO_NORMAL_FORMS, ...lostNames(site.names, isReachable)],
  files: async (site) => nginxFiles(site),
};
