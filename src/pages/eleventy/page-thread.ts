// Renders pages beside a program that serves: Eleventy works for a minute on thousands of pages without a pause. Each run
// has a thread of its own, which takes templates as they are by then, and whose memory goes back to the system. A thread
// that is ended at any moment leaves pages that the next run puts right.
import { Worker } from 'node:worker_threads';
import { PrepressError } from '../../base/errors.ts';
import { findBundledWorker } from '../../base/threads/bundled-worker.ts';
import type { Config } from '../../settings/settings.ts';
import type { PageAnswer } from './page-worker.ts';
import { type RenderReport, renderPages } from './render-pages.ts';

export type PageThread = {
  /** Throws what renderPages throws; null when the thread was ended. One run at a time. */
  readonly render: () => Promise<RenderReport | null>;
  readonly end: () => Promise<void>;
};

/** A small nursery keeps the thread small. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

/** Where the program runs from its sources, which have no worker file, pages are rendered in this thread. */
export const createPageThread = (
  config: Config,
  workerFile = findBundledWorker('page-worker'),
): PageThread => {
  let thread: Worker | null = null;
  let isEnded = false;
  return {
    render: async () => {
      if (isEnded) return null;
      if (workerFile === null) return renderPages(config);
      thread = new Worker(workerFile, { workerData: config, resourceLimits: LIMITS });
      try {
        const answer = await answerOf(thread);
        if (answer === null && !isEnded) throw new Error('The thread that renders pages ended.');
        return answer === null ? null : reportOf(answer);
      } finally {
        thread = null;
      }
    },
    end: async () => {
      isEnded = true;
      await thread?.terminate();
    },
  };
};

/** Waits until the thread has ended, and let go of its files; null when it said nothing. */
const answerOf = (worker: Worker): Promise<PageAnswer | null> =>
  new Promise((resolve, reject) => {
    let answer: PageAnswer | null = null;
    worker.on('message', (said: PageAnswer) => {
      answer = said;
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve(answer));
  });

const reportOf = (answer: PageAnswer): RenderReport => {
  if ('report' in answer) return answer.report;
  const { code, message, details } = answer;
  throw new PrepressError(code, message, { details });
};
