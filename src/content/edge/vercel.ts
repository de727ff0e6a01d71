// The middleware of Vercel, which answers addresses, which end in a slash. It fetches files from the deployment itself: their names end
// in none, so that no such request calls it again. Bundled by bundle.ts, which puts the site in.
import { createServeEdge } from './serve-edge.ts';
import type { WorkerSite } from './worker-site.ts';

declare const PREPRESS_SITE: WorkerSite;

type Context = { readonly waitUntil: (work: Promise<unknown>) => void };

const serve = createServeEdge(PREPRESS_SITE);

export default (request: Request, context: Context): Promise<Response> =>
  serve(request, {
    fetchFile: fetchAsIs,
    after: (work) => context.waitUntil(work),
  });

/** A body that was sent compressed would be passed on without that, under the header that says so. */
const fetchAsIs = (file: Request): Promise<Response> => {
  const headers = new Headers(file.headers);
  headers.set('accept-encoding', 'identity');
  return fetch(file.url, { method: file.method, headers, redirect: 'manual' });
};
