// GitLab Pages: rules that see paths, and no headers.
import type { Host } from '../host.ts';
import {
  defaultNotes,
  lostNames,
  NO_KEY_CHECK,
  NO_MEDIA_POLICY,
  NO_NORMAL_FORMS,
  unrefusedNotes,
} from '../limits/limitations.ts';
import { countRedirects, isReachable } from '../netlify/files.ts';
import { gitlabPagesFiles } from './files.ts';

export const gitlabPages: Host = {
  name: 'gitlab-pages',
  title: 'GitLab Pages',
  place: 'output',
  uploads: 'output',
  limits: { filesMax: 200_000, rulesMax: 1_000, hostFileBytesMax: 64_000 },
  use: 'Publish the output as the artifact "public".',
  useElsewhere:
    'GitLab Pages reads _redirects at the top of the artifact "public": see that it holds these rules.',
  limitations: (site) => [
    ...defaultNotes(site),
    ...unrefusedNotes(site),
    'Headers are the server\'s: clients in browsers need "version: false", which sends no Accept-Version; else use netlify or cloudflare.',
    'Missing addresses get the page 404.html, if there is one, and an address without its last slash is not redirected.',
    NO_NORMAL_FORMS,
    NO_KEY_CHECK,
    NO_MEDIA_POLICY,
    ...lostNames(site.names, isReachable),
  ],
  countRules: countRedirects,
  files: async (site) => gitlabPagesFiles(site),
};
