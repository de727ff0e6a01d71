// Brings the pages for people up to date after a build, one run at a time: a build that ends while pages
// are rendered is followed by one more run. Runs keep a distance, at least as long as they take: each loads Eleventy anew,
// and beside a save a second its thread, with all pages in memory, would never be gone.

import { type Problem, problemOf } from '../../base/sqlite/database-fault.ts';
import { Pause } from '../../base/threads/pause.ts';
import { createPageThread } from '../../pages/eleventy/page-thread.ts';
import type { RenderReport } from '../../pages/eleventy/render-pages.ts';
import type { Queryable } from '../../publication/store/store.ts';
import type { Config } from '../../settings/settings.ts';

export type PagesState = {
  /** Why the newest run placed nothing; null while all is well. */
  readonly lastError: Problem | null;
};

export type PageRenderer = {
  /** Asks for a run; the reports and errors go to the listeners. */
  readonly wake: () => void;
  readonly state: () => PagesState;
  /** Resolves when nothing is asked for any more. */
  readonly settle: () => Promise<void>;
  /** Ends a run that takes longer than a moment: the next start renders what is missing. */
  readonly close: () => Promise<void>;
};

type Listeners = {
  readonly onRendered: (report: RenderReport) => void | Promise<void>;
  readonly onFailed: (error: unknown) => void;
};

const CLOSE_MS = 1_000;
/** From the end of a run to the next one, after a shorter run. */
const DISTANCE_MS = 2_000;
/** After a run that failed: a template may be mended that nobody watches. */
const RETRY_MS = 60_000;

type Times = { readonly distanceMs?: number; readonly retryMs?: number };

type Publication = { readonly config: Config; readonly store?: Queryable };

export const createPageRenderer = (
  { config, ...publication }: Publication,
  { distanceMs = DISTANCE_MS, retryMs = RETRY_MS, ...listeners }: Listeners & Times,
): PageRenderer => {
  const thread = createPageThread(config, publication);
  let isAsked = false;
  let isClosed = false;
  let running: Promise<void> | null = null;
  let notBefore = 0;
  const pause = new Pause();
  let lastError: PagesState['lastError'] = null;
  let retry: NodeJS.Timeout | undefined;
  let isRetry = false;
  const wake = (): void => {
    isAsked = true;
    if (!isClosed) running ??= run();
  };
  /** What a run that is tried again failed with. */
  const takeRetried = (): string | undefined => {
    const before = isRetry ? lastError?.message : undefined;
    isRetry = false;
    return before;
  };
  /** A build that ended meanwhile may have replaced what was read. */
  const fail = (error: unknown, isKnown: boolean): void => {
    if (!isAsked && !isKnown) listeners.onFailed(error);
  };
  const run = async (): Promise<void> => {
    clearTimeout(retry);
    while (isAsked && !isClosed) {
      const leftMs = notBefore - performance.now();
      if (leftMs > 0) await pause.wait(leftMs);
      if (isClosed) break;
      isAsked = false;
      const before = takeRetried();
      const begun = performance.now();
      try {
        const report = await thread.render();
        lastError = null;
        if (report !== null) await listeners.onRendered(report);
      } catch (error) {
        lastError = problemOf(error);
        fail(error, lastError.message === before);
      }
      const ended = performance.now();
      notBefore = ended + Math.max(distanceMs, ended - begun);
    }
    running = null;
    if (lastError !== null && !isClosed) retry = setTimeout(wakeAgain, retryMs).unref();
  };
  /** The same fault is told once. */
  const wakeAgain = (): void => {
    isRetry = true;
    wake();
  };
  return {
    wake,
    state: () => ({ lastError }),
    settle: async () => {
      await running;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      pause.interrupt();
      const late = setTimeout(thread.end, CLOSE_MS);
      await running;
      clearTimeout(late);
    },
  };
};
