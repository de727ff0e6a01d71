// Any host that serves files as they are: Surge, a bucket alone, a share. No rules, no headers.
import type { Host } from '../host.ts';
import {
  ALIAS_NOTE,
  defaultNotes,
  NO_KEY_CHECK,
  NO_MEDIA_POLICY,
  NO_SIZES,
  unrefusedNotes,
} from '../limits/limitations.ts';
import { indexCopies } from './copies.ts';

export const plainFiles: Host = {
  name: 'plain-files',
  title: 'Any host that serves files as they are',
  place: 'output',
  limits: {},
  profiles: ['plain-files'],
  use: 'Publish the output. Builds keep the copies up to date from now on.',
  limitations: (site) => [
    ...defaultNotes(site),
    ...unrefusedNotes(site),
    'Types, CORS headers and preflights are those of the host: if browsers need them, use netlify, cloudflare or a server.',
    'A missing slash and slugs stored under "~" need rules: use explicit names and ids.',
    ALIAS_NOTE,
    NO_KEY_CHECK,
    NO_MEDIA_POLICY,
    NO_SIZES,
  ],
  files: async () => [],
  copies: indexCopies,
};
