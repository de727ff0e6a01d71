// Caddy: rules in a Caddyfile, without a plugin.
import type { Host } from '../host.ts';
import { lostNames, NO_KEY_CHECK, NO_NORMAL_FORMS } from '../lacks.ts';
import { caddyFiles, isReachable } from './files.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  place: 'aside',
  namesRoot: true,
  limits: {},
  use: 'In the Caddyfile: "import .../prepress.caddy", and "import prepress" within the site, before its other handlers; then: caddy reload',
  lacks: (site) => [
    'Caddy refuses paths with a malformed escape before it reads rules (400), without CORS headers.',
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    ...lostNames(site.names, isReachable),
  ],
  files: async (site) => caddyFiles(site),
};
