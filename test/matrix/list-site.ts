// A publication whose lists have several pages.
import type { OtherQueries } from '../../src/config/schemas.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { EVERYTHING } from '../../src/paths/selection.ts';
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
