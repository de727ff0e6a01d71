// The thread that reads and renders editor documents, one at a time. It is ended when a document takes too long or
// too much memory, so nothing outlives a document but the packages.
import { serveThread } from '../../base/threads/serve-thread.ts';
import { convert } from './convert.ts';
import type { FormatRequest } from './editor-formats.ts';
import { loadRenderers } from './renderers.ts';

let lost: unknown;
process.on('unhandledRejection', (error) => {
  lost ??= error ?? new Error('unknown');
});

const takeLostError = (): unknown => {
  const error = lost;
  lost = undefined;
  return error;
};

const renderers = loadRenderers(import.meta.url);
// What the packages load for their first document is part of the start: the time of a document is its own.
const FIRST = '{"root":{"type":"root","children":[{"type":"html","html":"<p></p>"}]}}';
await convert(
  { from: 'lexical', text: FIRST, site: { siteUrl: 'https://example.com' } },
  { renderers, takeLostError },
);
serveThread((request: FormatRequest) => convert(request, { renderers, takeLostError }));
