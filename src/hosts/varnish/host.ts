// Varnish: VCL in front of any server of the files.
import type { Host } from '../host.ts';
import { lostNames, NO_KEY_CHECK, NO_NORMAL_FORMS } from '../lacks.ts';
import { isReachable, varnishFiles } from './files.ts';

export const varnish: Host = {
  name: 'varnish',
  title: 'Varnish (VCL)',
  place: 'aside',
  limits: {},
  use: 'Start varnishd with -f prepress.vcl; --origin names the server behind it.',
  lacks: (site) => [NO_KEY_CHECK, NO_NORMAL_FORMS, ...lostNames(site.names, isReachable)],
  files: async (site) => varnishFiles(site),
};
