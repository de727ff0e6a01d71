// The content loader over plain files, with a store as Astro keeps it: after an edit it holds what is published, and was given
// only what changed.
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { tagWithCountSchema } from '../../../../src/content/contract/tag.ts';
import { prepress } from '../../../../src/pages/astro/loader.ts';
import { openFiles } from '../../../helpers/files-host.ts';
import { numberedId, publicationOf } from '../../../helpers/packed-files.ts';

type Load = ReturnType<typeof prepress>['load'];
type Context = Parameters<Load>[0];

const createContext = () => {
  const entries = new Map<string, Parameters<Context['store']['set']>[0]>();
  const meta = new Map<string, string>();
  const set: string[] = [];
  const said: string[] = [];
  const context: Context = {
    store: {
      keys: () => [...entries.keys()],
      set: (entry) => {
        set.push(entry.id);
        entries.set(entry.id, entry);
      },
      delete: (id) => void entries.delete(id),
      clear: () => entries.clear(),
    },
    meta: { get: (key) => meta.get(key), set: (key, value) => void meta.set(key, value) },
    logger: { info: (message) => void said.push(message) },
    parseData: async ({ data }) => data,
    generateDigest: (data) => JSON.stringify(data),
  };
  return { context, entries, meta, set, said };
};

test('of an edit it is given what changed; without its entries, all of it', async () => {
  const host = openFiles();
  const posts = ['a', 'b', 'c'].map((slug, at) => ({
    id: numberedId(at),
    slug,
    html: `<p>${slug}</p>`,
  }));
  host.put(publicationOf(posts));
  const { load } = prepress({ url: host.url, fetch: host.fetch });
  const { context, entries, meta, set, said } = createContext();
  await load(context);
  expect(set).toHaveLength(3);
  expect(entries.get(numberedId(0))).toMatchObject({
    data: { slug: 'a', html: '<p>a</p>', tags: [], primary_author: null },
    rendered: { html: '<p>a</p>' },
    digest: expect.any(String),
  });
  const edited = posts.slice(0, 2).map((post, at) => (at === 1 ? { ...post, html: 'New' } : post));
  host.put(publicationOf(edited));
  set.length = 0;
  await load(context);
  expect([set, [...entries.keys()]]).toEqual([[numberedId(1)], [numberedId(0), numberedId(1)]]);
  expect(said.at(-1)).toBe('Changed posts: 1, gone: 1');
  entries.clear();
  await load(context);
  expect([entries.size, said.at(-1)]).toEqual([2, 'All posts: 2, gone: 0']);
  meta.clear();
  host.put(publicationOf(edited.slice(1)));
  await load(context);
  expect([...entries.keys()]).toEqual([numberedId(1)]);
});

test('its schema takes what a newer publication adds, and its types are those of the client', async () => {
  const { createSchema } = prepress({ url: 'https://files.example', resource: 'tags' });
  const { schema, types }: { schema: z.ZodType; types: string } = await createSchema();
  expect(types).toMatch(/^export type Entry = .*\.Tag<'interface'>>;$/);
  const empty = Object.keys(tagWithCountSchema.shape).map((key) => [key, null]);
  const filled = { id: 'a', slug: 'a', name: 'A', visibility: 'public', url: 'https://a.test/' };
  const tag = { ...Object.fromEntries(empty), ...filled, count: { posts: 1 }, newer: true };
  expect(schema.parse(tag)).toEqual(tag);
  expect(schema.safeParse({ ...tag, slug: null }).success).toBe(false);
});
