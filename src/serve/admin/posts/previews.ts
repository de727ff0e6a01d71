// Pages of posts of any status, as readers will have them: nothing is placed, and nobody else reads them.
import { ERRORS, PrepressError } from '../../../base/errors.ts';
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { PREVIEW_TIME_MS } from '../../../base/limits.ts';
import { type PageOptions, renderPageOnThread } from '../../../pages/eleventy/page-thread.ts';
import type { PageRequest } from '../../../pages/eleventy/render-page.ts';
import { previewRecord } from '../../../pages/site/preview-record.ts';
import { findPostById, type PostType } from '../../../publication/store/content/posts.ts';
import { outputSettingsOf } from '../../../publish/build/output-settings.ts';
import type { Config } from '../../../settings/settings.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import { postNotFound } from './read-post.ts';

export type Previews = {
  /** Null where no pages are made. Throws NOT_FOUND, BUILD_INPUT_INVALID, PREVIEW_FAILED. */
  readonly html: (post: { readonly type: PostType; readonly id: string }) => Promise<string | null>;
};

/** Of templates, and before the first build. Its message names places, which only those who build may know. */
const isOfPages = (error: unknown): boolean =>
  error instanceof PrepressError &&
  /^(?:PAGES_INVALID|OUTPUT_DIFFERS|THREAD_ENDED)$/.test(error.code);

type Deps = { readonly config: Config; readonly context: Pick<UseCaseContext, 'store' | 'clock'> };

export const createPreviews = (
  { config, context: { store, clock } }: Deps,
  thread: PageOptions = { timeMs: PREVIEW_TIME_MS },
): Previews => {
  // Several at once would take the processors from who is served.
  const inTurn = limitConcurrency(1);
  const read = (type: PostType, id: string): PageRequest => {
    const snapshot = store.snapshot();
    try {
      const { render } = outputSettingsOf(config, snapshot.settings());
      const [source] = snapshot.sources(`${type}s`, [id]);
      if (source === undefined) throw postNotFound(type);
      const record = previewRecord(source, render, new Date(clock.now()).toISOString());
      return { kind: type, record, siteUrl: render.siteUrl };
    } finally {
      snapshot.close();
    }
  };
  return {
    html: async ({ type, id }) => {
      if ((await findPostById(store, type, id)) === undefined) throw postNotFound(type);
      const page = read(type, id);
      try {
        return await inTurn(() => renderPageOnThread(config, page, thread));
      } catch (error) {
        if (!isOfPages(error)) throw error;
        const { meaning, hint } = ERRORS.PREVIEW_FAILED;
        throw new PrepressError('PREVIEW_FAILED', meaning, { context: hint, cause: error });
      }
    },
  };
};
