// Netlify: rules and headers in the output; no function.
import type { Host } from '../host.ts';
import {
  lostNames,
  NO_KEY_CHECK,
  NO_NORMAL_FORMS,
  sidecarNotes,
  unrefusedNotes,
} from '../limits/limitations.ts';
import { NETLIFY_REDIRECTS } from '../rules/plain-redirects.ts';
import { countRedirects, isReachable, netlifyFiles } from './files.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  place: 'output',
  redirects: NETLIFY_REDIRECTS,
  uploads: 'output',
  limits: { folderEntriesMax: 54_000, rulesMax: 10_000 },
  use: 'Deploy the output: its _redirects and _headers are read with it.',
  useElsewhere:
    'Netlify reads _redirects and _headers at the top of the folder that it gets: see that they hold these rules.',
  limitations: (site) => [
    ...sidecarNotes(site),
    ...unrefusedNotes(site),
    NO_KEY_CHECK,
    NO_NORMAL_FORMS,
    'An address without its last slash is answered, not redirected.',
    'Values are compared as a whole: an unknown, repeated, capital or spaced include gives the plain document; a slug that needs a rule is found in the spelling of encodeURIComponent: use the id for others.',
    ...lostNames(site.names, isReachable),
  ],
  countRules: countRedirects,
  files: async (site) => netlifyFiles(site),
};
