// Renders pages beside a program that serves: Eleventy works for a minute on thousands of pages without a pause. Each run
// has a thread of its own, which takes templates as they are by then, and whose memory goes back to the system. A thread
// that is ended at any moment leaves pages that the next run puts right.
import { findBundledWorker, runOnThread } from '../../base/threads/thread.ts';
import type { Queryable } from '../../publication/store/store.ts';
import type { Config } from '../../settings/settings.ts';
import { asksForPages } from './asks-for-pages.ts';
import { hasPlacedPages } from './place-rendered.ts';
import { type PageRequest, renderPage } from './render-page.ts';
import { type RenderReport, renderPages } from './render-pages.ts';

export type PageThread = {
  /** Throws what renderPages throws; null when there is nothing to do, or the thread was ended. One run at a time. */
  readonly render: () => Promise<RenderReport | null>;
  /** The run that goes on resolves when its thread has ended. */
  readonly end: () => void;
};

/** `page`: the one that is rendered, and not placed; absent: all of them. */
export type PageTask = { readonly config: Config; readonly page?: PageRequest };

/** A small nursery keeps the thread small. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

type ThreadOptions = {
  /** Of the publication, where it is open already. */
  readonly store?: Queryable;
  readonly workerFile?: string | null;
};

/** Where the program runs from its sources, which have no worker file, pages are rendered in this thread. */
export const createPageThread = (
  config: Config,
  { store, workerFile = findBundledWorker('page-worker') }: ThreadOptions = {},
): PageThread => {
  const ending = new AbortController();
  const { signal } = ending;
  return {
    render: async () => {
      if (signal.aborted) return null;
      if (!hasPlacedPages(config) && !(await asksForPages(config, store))) return null;
      if (workerFile === null) return renderPages(config);
      try {
        return await runOnThread<PageTask, RenderReport>(
          workerFile,
          { config },
          {
            signal,
            resourceLimits: LIMITS,
          },
        );
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
    end: () => ending.abort(),
  };
};

export type PageOptions = Pick<ThreadOptions, 'workerFile'> & { readonly timeMs: number };

/** Renders one page on a thread of its own, which ends after `timeMs`; see renderPage. Throws THREAD_ENDED, too. */
export const renderPageOnThread = async (
  config: Config,
  page: PageRequest,
  { workerFile = findBundledWorker('page-worker'), timeMs }: PageOptions,
): Promise<string | null> => {
  if (workerFile === null) return renderPage(config, page);
  const task = { config, page };
  return runOnThread<PageTask, string | null>(workerFile, task, { timeMs, resourceLimits: LIMITS });
};
