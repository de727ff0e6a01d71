// The content loader for Astro: the records of a publication from its files, wherever they lie. Astro keeps them and a token
// between two builds, so that a build reads what changed.
import { openContent } from '../../content/client/open-content.ts';
import { CLIENT_RECORDS } from '../../content/contract/client-records.ts';
import type { LoaderOptions, PrepressLoader } from './loader-types.ts';

const TOKEN = 'token';

const NAMES = { posts: 'Post', pages: 'Page', tags: 'Tag', authors: 'Author' } as const;

export const prepress = (options: LoaderOptions): PrepressLoader => {
  const { url, resource = 'posts', shape = 'interface', ...reading } = options;
  return {
    name: 'prepress-content',
    load: async ({ store, meta, logger, parseData, generateDigest }) => {
      const known = store.keys().length > 0 ? meta.get(TOKEN) : undefined;
      const delta = await openContent(url, reading).sync(known, { only: [resource] });
      const { upserts, deletions } = delta[resource];
      if (delta.isFull) store.clear();
      for (const id of deletions) store.delete(id);
      for (const record of upserts) {
        const { id } = record;
        const data = await parseData({ id, data: { ...record } });
        const html = 'html' in record ? (record.html ?? '') : '';
        store.set({ id, data, digest: generateDigest(data), rendered: { html } });
      }
      meta.set(TOKEN, delta.token);
      const { length } = upserts;
      logger.info(
        `${delta.isFull ? 'All' : 'Changed'} ${resource}: ${length}, gone: ${deletions.length}`,
      );
    },
    createSchema: async () => {
      const name = NAMES[resource];
      const client = 'import("prepress-content/client")';
      // A newer publication may have further keys.
      const schema = CLIENT_RECORDS[shape][name].loose() as never;
      return {
        schema,
        types: `export type Entry = ${client}.Whole<${client}.${name}<'${shape}'>>;`,
      };
    },
  };
};
