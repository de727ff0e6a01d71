// What a host is told about a publication that has nothing but what a test gives it.

import { EVERYTHING } from '../../src/content/paths/selection.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';

export const bareHostSite = (rest: Partial<HostSite> = {}): HostSite => ({
  basePath: '',
  output: '/srv/output',
  root: '/srv/output',
  names: [],
  paged: [],
  accountName: 'prepress-site-test',
  isShared: false,
  hasSizes: false,
  isShield: false,
  redirects: [],
  queries: { otherQueries: 'refuse', staleSeconds: 60, max: 1_000, listPages: 'all' },
  keyHashes: null,
  checksKey: false,
  origin: { host: '127.0.0.1', port: 80 },
  selection: EVERYTHING,
  defaultVariants: [],
  segments: () => [],
  treeFiles: () => [],
  encodings: [],
  sidecars: () => [],
  otherFiles: () => [],
  ...rest,
});
