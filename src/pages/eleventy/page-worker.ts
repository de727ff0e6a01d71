// The thread of one run of Eleventy: it opens everything for itself, and ends with its answer.
import { serveThread } from '../../base/threads/serve-thread.ts';
import type { Config } from '../../settings/settings.ts';
import { preloadEleventy, renderPages } from './render-pages.ts';

preloadEleventy();
serveThread((config: Config) => renderPages(config, { isOnlyRun: true }));
