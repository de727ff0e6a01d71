// Cloudflare Workers with static assets.
import type { Host } from '../host.ts';
import { isReachableAtEdge, lostNames } from '../lacks.ts';
import { cloudflareFiles } from './files.ts';

export const CLOUDFLARE_NOTES: readonly string[] = [
  'Each path counts as a file, 20,000 on the free plan and 100,000 on paid ones: past that use netlify, cloudfront or a server.',
  'On the free plan requests past 100,000 a day are refused: they are calls of the worker.',
  'A _redirects or _headers in the output, such as those for netlify, is applied as well: write these elsewhere with --to.',
];

export const cloudflare: Host = {
  name: 'cloudflare',
  title: 'Cloudflare Workers',
  place: 'aside',
  namesRoot: true,
  limits: { filesMax: 100_000, fileBytesMax: 25 * 1024 * 1024, hostFileBytesMax: 3 * 1024 * 1024 },
  profiles: ['literal', 'by-id'],
  checksKeys: true,
  use: 'In the folder of wrangler.jsonc: npx wrangler deploy',
  lacks: ({ selection, names }) => [
    ...CLOUDFLARE_NOTES,
    ...(selection.profile === 'by-id'
      ? ['The explicit names of files by slug are not there: ask for addresses.']
      : []),
    ...lostNames(names, isReachableAtEdge),
  ],
  files: cloudflareFiles,
};
