// The thread of one run of Eleventy: it opens everything for itself, and ends with its answer.
import { serveThread } from '../../base/threads/serve-thread.ts';
import type { PageTask } from './page-thread.ts';
import { renderPage } from './render-page.ts';
import { preloadEleventy, type RenderReport, renderPages } from './render-pages.ts';

preloadEleventy();
serveThread(
  async ({ config, page }: PageTask): Promise<RenderReport | string | null> =>
    page === undefined ? renderPages(config, { isOnlyRun: true }) : renderPage(config, page),
);
