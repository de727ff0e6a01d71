// Cloudflare Pages, whose worker lies in the output.
import { CLOUDFLARE_NOTES } from '../cloudflare/host.ts';
import type { Host } from '../host.ts';
import {
  isReachableAtEdge,
  lostNames,
  missingNotes,
  readNotes,
  sidecarNotes,
} from '../limits/limitations.ts';
import { CLOUDFLARE_REDIRECTS } from '../rules/plain-redirects.ts';
import { cloudflarePagesFiles } from './files.ts';

export const cloudflarePages: Host = {
  name: 'cloudflare-pages',
  title: 'Cloudflare Pages',
  place: 'output',
  redirects: CLOUDFLARE_REDIRECTS,
  uploads: 'output',
  limits: { filesMax: 100_000, fileBytesMax: 25 * 1024 * 1024 },
  profiles: ['literal', 'by-id', 'packed'],
  checksKeys: true,
  use: 'npx wrangler pages deploy "{folder}"',
  limitations: (site) => [
    ...CLOUDFLARE_NOTES,
    ...sidecarNotes(site),
    ...readNotes(site),
    ...missingNotes(site.selection),
    'It uploads the whole output: for the profiles by-id and packed and for fewer variants use cloudflare, or deploy to a folder and write these files there with --to.',
    ...lostNames(site.names, isReachableAtEdge),
  ],
  files: cloudflarePagesFiles,
};
