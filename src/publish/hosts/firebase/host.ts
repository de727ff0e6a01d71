// Firebase Hosting: copies of one variant, with headers.
import type { Host } from '../host.ts';
import {
  defaultNotes,
  NO_DEPRECATION,
  NO_KEY_CHECK,
  NO_SIZES,
  unrefusedNotes,
} from '../limits/limitations.ts';
import { indexCopies } from '../plain-files/copies.ts';
import { firebaseFiles } from './files.ts';

export const firebase: Host = {
  name: 'firebase',
  title: 'Firebase Hosting',
  place: 'aside',
  uploads: 'output',
  limits: { fileBytesMax: 2_000_000_000 },
  profiles: ['plain-files'],
  use: 'Put firebase.json beside the output, then: firebase deploy --only hosting. Builds keep the copies up to date from now on.',
  limitations: (site) => [
    ...defaultNotes(site),
    ...unrefusedNotes(site),
    'The address /ghost/api is redirected, which browsers do not follow in a preflight: set basePath to /ghost/api for clients that ask there, or use netlify or cloudflare.',
    'Slugs stored under "~" need rules, and "#" in a slug ends the path: use their ids.',
    NO_DEPRECATION,
    NO_SIZES,
    NO_KEY_CHECK,
  ],
  files: async (site) => firebaseFiles(site),
  copies: indexCopies,
};
