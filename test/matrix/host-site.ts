// What a host is told about the publication of these tests.

import { RESOURCES } from '../../src/content/paths/endpoints.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import type { MatrixSite } from './site.ts';

export const hostSiteOf = (site: MatrixSite, rest: Partial<HostSite> = {}): HostSite => ({
  basePath: site.basePath,
  output: site.output,
  root: site.output,
  names: site.names,
  paged: RESOURCES,
  // What is refused elsewhere is a test of its own (check-lists.ts).
  accountName: 'prepress-site-test',
  isShared: false,
  hasSizes: false,
  isShield: false,
  redirects: [],
  queries: { otherQueries: 'ignore', staleSeconds: 60, max: 2, listPages: 'all' },
  keyHashes: null,
  checksKey: false,
  origin: { host: '127.0.0.1', port: 80 },
  selection: site.selection,
  defaultVariants: ['authors-tags', 'count-posts'],
  segments: site.segments,
  treeFiles: site.treeFiles,
  encodings: site.encodings,
  sidecars: () => [],
  otherFiles: () => [],
  ...rest,
});
