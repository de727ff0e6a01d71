// What search reads, cut out of packed trees with odd data, is what an oracle picks from the same data as plain objects.
import { describe, expect, test } from 'vitest';
import { SEARCHED_MAX } from '../../../../src/base/limits.ts';
import { SEARCH_SCHEMAS } from '../../../../src/content/contract/search-index.ts';
import { SEARCHED, type SearchedResource } from '../../../../src/content/paths/files.ts';
import type { Tree } from '../../../../src/content/queries/source.ts';
import { decodeChunk } from '../../../../src/content/tree/decode-chunk.ts';
import type { TreeStore } from '../../../../src/content/tree/tree-store.ts';
import {
  type EarlierPosts,
  searchDocument,
} from '../../../../src/publish/build/lists/search-index.ts';
import { SMALL_LEVELS } from '../../../helpers/memory-blobs.ts';
import {
  makeOddPublication,
  type OddPublication,
  type OddTerm,
  packOdd,
  storeOf,
} from '../../../helpers/odd-records.ts';
import { createRandom, SEED } from '../../../helpers/random.ts';

type Packed = ReturnType<typeof packOdd>;

const treeOf = (packed: Packed): Tree => ({ store: storeOf(packed), root: packed.root });

/** As Ghost's own search asks for them. */
const KEYS: Readonly<Record<SearchedResource, readonly string[]>> = {
  posts: ['id', 'slug', 'title', 'excerpt', 'url', 'updated_at', 'visibility'],
  authors: ['id', 'slug', 'name', 'url', 'profile_image'],
  tags: ['id', 'slug', 'name', 'url'],
};

/** What chance may leave out. */
const TAGS: readonly OddTerm[] = ['public', 'internal'].map((visibility, at) => {
  const shared = { id: `${at}`.padStart(24, 'f'), slug: visibility, name: visibility };
  const document = { ...shared, visibility, url: `https://x.test/${visibility}/` };
  return { ...shared, visibility, document, embedded: shared };
});

const collator = new Intl.Collator('en');
const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : 1;

const expected = (publication: OddPublication, resource: SearchedResource): string => {
  const { posts, tags, authors } = publication;
  const records =
    resource === 'posts'
      ? [...posts].sort((a, b) => b.publishedMs - a.publishedMs || byId(b, a))
      : (resource === 'tags' ? tags : authors)
          .filter(({ visibility }) => visibility === 'public')
          .sort((a, b) => collator.compare(a.name, b.name) || byId(a, b));
  const picked = records.map(({ document }) =>
    Object.fromEntries(Object.entries(document).filter(([key]) => KEYS[resource].includes(key))),
  );
  return JSON.stringify({ [resource]: picked });
};

test.each(SEARCHED)('%s have the keys of Ghost, and no others', (resource) => {
  expect(Object.keys(SEARCH_SCHEMAS[resource].shape).sort()).toEqual([...KEYS[resource]].sort());
});

describe.each([0, 1, 40, 200])('of %i posts', (size) => {
  const made = makeOddPublication(createRandom(SEED + size), size);
  const publication = { ...made, tags: [...made.tags, ...TAGS] };
  // Lists of the interface would be cut after four.
  const packed = packOdd(publication, { levels: SMALL_LEVELS, max: 4 });

  test.each(SEARCHED)(`%s are whole (seed ${SEED})`, async (resource) => {
    const document = Buffer.concat(await searchDocument(treeOf(packed), resource));
    expect(document.toString()).toBe(expected(publication, resource));
  });
});

test('of more posts than search reads, the newest are there', async () => {
  const publication = makeOddPublication(createRandom(SEED), 3);
  const [first] = publication.posts;
  if (first === undefined) throw new Error('There is no post.');
  const posts = Array.from({ length: SEARCHED_MAX + 1 }, (_, at) => {
    const id = at.toString(16).padStart(24, '0');
    return {
      ...first,
      id,
      publishedMs: at,
      document: { ...first.document, id, title: `Post ${at}` },
    };
  });
  const packed = packOdd({ ...publication, posts }, { levels: SMALL_LEVELS, max: 4 });
  const document = Buffer.concat(await searchDocument(treeOf(packed), 'posts'));
  const found = (JSON.parse(document.toString()) as { posts: { title: string }[] }).posts;
  expect([found.length, found[0]?.title, found.at(-1)?.title]).toEqual([
    SEARCHED_MAX,
    `Post ${SEARCHED_MAX}`,
    'Post 1',
  ]);
});

const SIZE = 60;
const EDITS = ['adds', 'removes', 'edits', 'empties'] as const;

/** One post more as the newest, or 20 of them less, or another title of one, or none any more. */
const edited = (publication: OddPublication, edit: (typeof EDITS)[number]): OddPublication => {
  const posts = [...publication.posts].sort((a, b) => b.publishedMs - a.publishedMs);
  const [newest] = posts;
  if (newest === undefined) throw new Error('There is no post.');
  const id = 'f'.repeat(24);
  const added = { ...newest, id, publishedMs: newest.publishedMs + 1 };
  const changed = posts.map((post, at) =>
    at === 30 ? { ...post, document: { ...post.document, title: 'Other },{"' } } : post,
  );
  const results = {
    adds: [{ ...added, document: { ...newest.document, id } }, ...posts],
    removes: posts.slice(20),
    edits: changed,
    empties: [],
  };
  return { ...publication, posts: results[edit] };
};

describe.each([25, 55, 1_000])('of %i posts at most, after an edit', (max) => {
  const publication = makeOddPublication(createRandom(SEED), SIZE);
  const pack = (one: OddPublication): Packed => packOdd(one, { levels: SMALL_LEVELS, max: 4 });

  test.each(EDITS)(
    `that %s, the earlier document gives the same bytes (seed ${SEED})`,
    async (edit) => {
      const before = pack(publication);
      const document = Buffer.concat(await searchDocument(treeOf(before), 'posts', { max }));
      const after = pack(edited(publication, edit));
      const all = new Map([...before.blobs.all, ...after.blobs.all]);
      const readCards = async (earlier: EarlierPosts | null) => {
        const read = new Set<string>();
        const store = storeOf({ ...after, blobs: { ...after.blobs, all } });
        const get: TreeStore['get'] = (name, decode) => {
          if (decode === (decodeChunk as unknown)) read.add(name);
          return store.get(name, decode);
        };
        const tree = { store: { ...store, get }, root: after.root };
        const found = await searchDocument(tree, 'posts', { earlier, max });
        return { text: String(Buffer.concat(found)), cards: read.size };
      };
      const found = await readCards({ root: before.root, document });
      const whole = await readCards(null);
      expect(found.text).toBe(whole.text);
      if (edit === 'adds') expect(found.cards).toBeLessThan(whole.cards / 2);
    },
  );
});
