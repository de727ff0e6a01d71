// Caddy: rules in a Caddyfile, without a plugin.
import type { Host } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  otherQueryNotes,
} from '../limits/limitations.ts';
import { isRoutable, quoted } from '../rules/addresses.ts';
import { snippetOf } from './address-handles.ts';
import { caddyFiles, RULES_FILE } from './files.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  place: 'aside',
  namesRoot: 'absolute',
  isReloaded: true,
  redirects: 'all',
  readsAsUser: true,
  asShield: {},
  nameIn: snippetOf,
  test: ({ rules, config }, site) => ({
    text: `{
	admin off
	auto_https off
}
import ${quoted(`${rules}/${RULES_FILE}`)}
http://127.0.0.1 {
	import ${snippetOf(site)}
}
`,
    command: ['caddy', 'validate', '--config', config, '--adapter', 'caddyfile'],
  }),
  limits: {},
  use: `In the Caddyfile, above the sites:
  import "{folder}/prepress.caddy"
Within the site, before its other handlers:
  import {name}
Then: sudo systemctl reload caddy`,
  limitations: (site) => [
    'Caddy refuses paths with a malformed escape before it reads rules (400), without CORS headers.',
    ...otherQueryNotes(site, 'any'),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    ...lostNames(site.names, isRoutable),
  ],
  files: async (site) => caddyFiles(site),
};
