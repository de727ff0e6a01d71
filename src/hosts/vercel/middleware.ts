// The files of Vercel's middleware: its code, and the description that the platform reads.
import { ANY_RECORD } from '../addresses.ts';
import { bundleEdge } from '../bundle.ts';
import type { HostFile, HostSite } from '../host.ts';
import type { Route } from './route.ts';

const NAME = 'prepress';

/** None where queries are not refused: then one of a repeated parameter counts. */
export const hasMiddleware = ({ queries }: Pick<HostSite, 'queries'>): boolean =>
  queries.otherQueries !== 'ignore';

export const middlewareFiles = async (site: HostSite): Promise<HostFile[]> =>
  hasMiddleware(site)
    ? [
        {
          path: `functions/${NAME}.func/.vc-config.json`,
          text: `${JSON.stringify({ runtime: 'edge', entrypoint: 'index.js' })}\n`,
        },
        {
          path: `functions/${NAME}.func/index.js`,
          text: await bundleEdge({ entry: 'vercel', site }),
        },
      ]
    : [];

/** Of lists and records. */
export const middlewareRoutes = (site: HostSite, prefix: string): Route[] =>
  hasMiddleware(site)
    ? [
        {
          src: `^${prefix}/content/${ANY_RECORD}/$`,
          middlewarePath: NAME,
          continue: true,
        },
      ]
    : [];
