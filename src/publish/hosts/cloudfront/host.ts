// S3 with CloudFront in front of it.
import type { Host } from '../host.ts';
import {
  isReachableAtEdge,
  lostNames,
  NO_DEPRECATION,
  NO_SIZES,
  otherQueryNotes,
} from '../limits/limitations.ts';
import { cloudfrontFiles } from './files.ts';

export const cloudfront: Host = {
  name: 'cloudfront',
  title: 'S3 and CloudFront',
  place: 'aside',
  limits: { hostFileBytesMax: 10_240 },
  checksKeys: true,
  use: 'Run prepress-function.js for viewer requests, create both headers policies, and set what distribution.json says. docs/hosts/s3-cloudfront.md has the commands.',
  limitations: (site) => [
    'Custom error responses hold for the whole distribution: give the interface its own, or its own behaviour.',
    'A bucket without CloudFront serves each address without its query: use plain-files there.',
    ...otherQueryNotes(site, 'any'),
    ...(site.hasSizes ? [NO_SIZES] : []),
    NO_DEPRECATION,
    ...lostNames(site.names, isReachableAtEdge),
  ],
  files: cloudfrontFiles,
};
