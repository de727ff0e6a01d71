// The edge function of Netlify, which is a handler for Deno: `next` answers from the files of the site. Bundled by bundle.ts,
// which puts the site in.

import { createServeEdge } from './serve-edge.ts';
import type { WorkerSite } from './worker-site.ts';

declare const PREPRESS_SITE: WorkerSite;

type Context = {
  readonly next: (request: Request) => Promise<Response>;
  /** Absent in other places that run Deno. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
};

const serve = createServeEdge(PREPRESS_SITE);

export default (request: Request, context: Context): Promise<Response> =>
  serve(request, {
    fetchFile: (file) => context.next(file),
    after: (work) => context.waitUntil?.(work),
  });

/** Which requests it is called for. */
export const config = { path: PREPRESS_SITE.routes };
