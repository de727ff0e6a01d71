// Counts each request of one server and times its answer, wherever it is answered: also those that never reach the
// router. Labels come from short lists, so that no client can add to them.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { rewriteTarget, splitUrl } from '../addresses.ts';
import type { Metrics } from './metrics.ts';

const STARTED = 'http.server.request.start';

type Started = {
  readonly server: Server;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

/** Counts until what it returns is called. */
export const countRequests = (
  server: Server,
  basePath: string,
  { answered }: Pick<Metrics, 'answered'>,
): (() => void) => {
  const onStart = (message: unknown): void => {
    const { server: asked, request, response } = message as Started;
    if (asked !== server) return;
    const startedMs = performance.now();
    response.once('close', () =>
      answered({
        area: areaOf(request.url ?? '/', basePath),
        method: METHODS.has(request.method ?? '') ? String(request.method) : 'other',
        code: response.writableFinished ? String(response.statusCode) : 'aborted',
        seconds: (performance.now() - startedMs) / 1_000,
      }),
    );
  };
  subscribe(STARTED, onStart);
  return () => void unsubscribe(STARTED, onStart);
};

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE']);
const AREAS = new Set(['content', 'admin', 'hooks', 'health', 'docs', 'desk']);

const areaOf = (url: string, basePath: string): string => {
  const { path } = splitUrl(rewriteTarget(url, basePath));
  const own = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  const [, area = ''] = own.split('/', 2);
  return AREAS.has(area) ? area : 'other';
};
