// The functions that every record, and every request, goes through, one by one.
import { Bench } from 'tinybench';
import { resolve } from '../src/content/paths/resolve.ts';
import { createRenderer } from '../src/publication/documents/renderer.ts';
import { openSnapshot } from '../src/publication/snapshot/open-snapshot.ts';
import { RecordEncoder } from '../src/publish/build/render/record-encoder.ts';
import { SITE_URL } from './builds.ts';

export type FunctionResult = { readonly name: string; readonly microseconds: number };

const TIME_MS = 500;

/** `database` is a publication of the bench. */
export const measureFunctions = async (database: string): Promise<FunctionResult[]> => {
  const snapshot = openSnapshot(database);
  try {
    const ids = snapshot
      .keys('posts')
      .slice(0, 50)
      .map(({ id }) => id);
    const settings = {
      siteUrl: SITE_URL,
      timezone: 'Europe/Berlin',
      outboundLinkTagging: true,
      permalinks: '/{slug}/',
    };
    const renderer = createRenderer(settings);
    const encoder = new RecordEncoder();
    const sources = snapshot.sources('posts', ids);
    const texts = sources.map(renderer.post);
    const opening = Buffer.from('{"posts":[');
    let at = 0;
    const next = <T>(list: readonly T[]): T => {
      at = (at + 1) % list.length;
      return list[at] as T;
    };
    const bench = new Bench({ time: TIME_MS });
    bench
      .add('read the rows of 50 posts', () => snapshot.sources('posts', ids))
      .add('render a post: four variants as text', () => renderer.post(next(sources)))
      .add('encode and hash its four files', () => encoder.encode(opening, next(texts), () => {}))
      .add('resolve an address', () =>
        resolve('/content/posts/slug/some-post/', 'include=tags,authors&key=x', {
          basePath: '',
          storedSegment: () => undefined,
        }),
      );
    await bench.run();
    return bench.tasks.map(({ name, result }) => ({
      name,
      microseconds: (result?.mean ?? Number.NaN) * 1000,
    }));
  } finally {
    snapshot.close();
  }
};
