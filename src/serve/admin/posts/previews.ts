// Posts of any status as readers will have them, as pages and as documents: nothing is placed.
import { closing } from '../../../base/closing.ts';
import { ERRORS, PrepressError } from '../../../base/errors.ts';
import { limitConcurrency } from '../../../base/limit-concurrency.ts';
import { PREVIEW_TIME_MS } from '../../../base/limits.ts';
import { QUERY_SHAPES, SHAPES, variantName } from '../../../content/paths/endpoints.ts';
import { parseQuery } from '../../../content/paths/query.ts';
import { type PageOptions, renderPageOnThread } from '../../../pages/eleventy/page-thread.ts';
import { previewRecord, recordBytes, toSitePost } from '../../../pages/site/preview-record.ts';
import type { RecordText } from '../../../publication/documents/fragment.ts';
import { findPostBy, type PostType } from '../../../publication/store/content/posts.ts';
import { outputSettingsOf } from '../../../publish/build/output-settings.ts';
import type { Config } from '../../../settings/settings.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import type { PreviewScope } from './preview-links.ts';
import { postNotFound } from './read-post.ts';

type Named = PreviewScope & { readonly type: PostType } & (
    | { readonly id: string }
    | { readonly uuid: string }
  );

export type Previews = {
  /** Null where no pages are made. Throws NOT_FOUND, BUILD_INPUT_INVALID, PREVIEW_FAILED. */
  readonly html: (post: Named) => Promise<string | null>;
  /** The document of a read by id, with what the query includes. Throws NOT_FOUND, BUILD_INPUT_INVALID. */
  readonly document: (post: Named, rawQuery: string) => Promise<Buffer>;
};

/** Of templates, and before the first build. Its message names places, which only those who build may know. */
const isOfPages = (error: unknown): boolean =>
  error instanceof PrepressError &&
  /^(?:PAGES_INVALID|OUTPUT_DIFFERS|THREAD_ENDED)$/.test(error.code);

type Deps = { readonly config: Config; readonly context: Pick<UseCaseContext, 'store' | 'clock'> };

type Read = { readonly siteUrl: string; readonly text: RecordText };

export const createPreviews = (
  { config, context: { store, clock } }: Deps,
  thread: PageOptions = { timeMs: PREVIEW_TIME_MS },
): Previews => {
  // Several at once would take the processors from who is served.
  const inTurn = limitConcurrency(1);
  const read = async ({ type, isUngated, ...key }: Named): Promise<Read> => {
    const post = await findPostBy(store, type, key);
    if (post === undefined) throw postNotFound(type);
    return closing(store.snapshot(), (snapshot) => {
      const { render } = outputSettingsOf(config, snapshot.settings());
      const [source] = snapshot.sources(`${type}s`, [post.id]);
      if (source === undefined) throw postNotFound(type);
      const now = new Date(clock.now()).toISOString();
      return {
        siteUrl: render.siteUrl,
        text: previewRecord(source, { ...render, isUngated }, now),
      };
    });
  };
  const render = async (named: Named): Promise<string | null> => {
    const { siteUrl, text } = await read(named);
    const page = { kind: named.type, record: toSitePost(text), siteUrl };
    try {
      return await renderPageOnThread(config, page, thread);
    } catch (error) {
      if (!isOfPages(error)) throw error;
      const { meaning, hint } = ERRORS.PREVIEW_FAILED;
      throw new PrepressError('PREVIEW_FAILED', meaning, { context: hint, cause: error });
    }
  };
  // Whoever asks for what nobody has begun shares it: a link that is opened again and again would fill the line.
  const waiting = new Map<string, Promise<string | null>>();
  const begin = async (named: Named, name: string): Promise<string | null> => {
    await Promise.resolve();
    waiting.delete(name);
    return render(named);
  };
  return {
    html: (named) => {
      const name = JSON.stringify(named);
      const rendered = waiting.get(name) ?? inTurn(() => begin(named, name));
      waiting.set(name, rendered);
      return rendered;
    },
    document: async (named, rawQuery) => {
      const resource = `${named.type}s` as const;
      const { includes } = parseQuery(rawQuery, QUERY_SHAPES[resource]);
      const variant = SHAPES[resource].recordVariants.indexOf(variantName(null, includes));
      const { text } = await read(named);
      return Buffer.concat([
        Buffer.from(`{"${resource}":[`),
        recordBytes(text, variant),
        Buffer.from(']}'),
      ]);
    },
  };
};
