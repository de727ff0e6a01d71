// The worker of Cloudflare Workers and Pages, whose files are assets. Bundled by bundle.ts, which puts the site in.

import { createServeEdge } from './serve-edge.ts';
import type { WorkerSite } from './worker-site.ts';

declare const PREPRESS_SITE: WorkerSite;

type Env = { readonly ASSETS: { readonly fetch: (request: Request) => Promise<Response> } };
type Context = { readonly waitUntil: (work: Promise<unknown>) => void };

const serve = createServeEdge(PREPRESS_SITE);

export default {
  fetch: (request: Request, env: Env, context: Context): Promise<Response> =>
    serve(request, {
      fetchFile: (file) => env.ASSETS.fetch(file),
      after: (work) => context.waitUntil(work),
    }),
};
