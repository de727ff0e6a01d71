// The thread of one run of Eleventy: it opens everything for itself, and ends with its answer.
import { parentPort, workerData } from 'node:worker_threads';
import { PrepressError } from '../../base/errors.ts';
import type { Config } from '../../settings/settings.ts';
import { preloadEleventy, type RenderReport, renderPages } from './render-pages.ts';

export type PageAnswer =
  | { readonly report: RenderReport }
  /** An error of ours: on its way between threads it would lose what it says. */
  | Pick<PrepressError, 'code' | 'message' | 'details'>;

const answer = async (config: Config): Promise<PageAnswer> => {
  preloadEleventy();
  try {
    return { report: await renderPages(config, { isOnlyRun: true }) };
  } catch (error) {
    if (!(error instanceof PrepressError)) throw error;
    const { code, message, details } = error;
    return { code, message, details };
  }
};

parentPort?.postMessage(await answer(workerData as Config));
