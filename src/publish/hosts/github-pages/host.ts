// GitHub Pages: files as they are, with fixed headers that let any site read them.
import type { Host } from '../host.ts';
import {
  ALIAS_NOTE,
  defaultNotes,
  NO_KEY_CHECK,
  NO_MEDIA_POLICY,
  NO_SIZES,
  sidecarNotes,
  unrefusedNotes,
} from '../limits/limitations.ts';
import { indexCopies } from '../plain-files/copies.ts';

export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  place: 'output',
  uploads: 'output',
  limits: { treeBytesMax: 1_000_000_000, fileBytesMax: 100 * 1024 * 1024 },
  profiles: ['plain-files'],
  use: 'Publish the output (of a project site: its folder of the base path). Builds keep the copies up to date from now on.',
  limitations: (site) => [
    ...defaultNotes(site),
    ...unrefusedNotes(site),
    ...sidecarNotes(site),
    'Addresses are sent as text/html, which clients parse anyway; explicit names (…/authors-tags.json) have the right type.',
    'Preflights are refused: clients in browsers need "version: false", which sends no Accept-Version; else use netlify or cloudflare.',
    'Documents and 404s are cached for ten minutes, and slugs stored under "~" need rules: use their ids, or netlify or cloudflare.',
    ALIAS_NOTE,
    NO_KEY_CHECK,
    NO_MEDIA_POLICY,
    NO_SIZES,
  ],
  // Without it, names that begin with an underscore or a dot are left out.
  files: async ({ basePath }) => [{ path: `${basePath}/.nojekyll`.slice(1), text: '' }],
  copies: indexCopies,
};
