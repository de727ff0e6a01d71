// Brings the pages for people up to date after a build, one run at a time: a build that ends while pages
// are rendered is followed by one more run.
import type { Config } from '../config/settings.ts';
import { type RenderReport, renderPages } from '../eleventy/render-pages.ts';

export type PageRenderer = {
  /** Asks for a run; the reports and errors go to the listeners. */
  readonly wake: () => void;
  /** Resolves when nothing is asked for any more. */
  readonly settle: () => Promise<void>;
};

type Listeners = {
  readonly onRendered: (report: RenderReport) => void;
  readonly onFailed: (error: unknown) => void;
};

export const createPageRenderer = (config: Config, listeners: Listeners): PageRenderer => {
  let isAsked = false;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      try {
        listeners.onRendered(await renderPages(config));
      } catch (error) {
        listeners.onFailed(error);
      }
    }
    running = null;
  };
  return {
    wake: () => {
      isAsked = true;
      running ??= run();
    },
    settle: async () => {
      await running;
    },
  };
};
