// A publication whose lists have several pages.

import { EVERYTHING } from '../../src/content/paths/selection.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import type { OtherQueries } from '../../src/settings/schemas.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';

const MAX = 6;

export const buildListSite = (basePath = ''): Promise<MatrixSite> =>
  buildMatrixSite(basePath, undefined, { settings: { 'lists.max': MAX } });

export const listSiteQueries = (
  otherQueries: OtherQueries,
): Pick<HostSite, 'queries' | 'selection'> => ({
  selection: EVERYTHING,
  queries: { otherQueries, staleSeconds: 60, max: MAX, listPages: 'all' },
});
