// What search reads, cut out of packed trees with odd data, is what an oracle picks from the same data as plain objects.
import { describe, expect, test } from 'vitest';
import { searchDocument } from '../../../src/builder/search-index.ts';
import { SEARCH_SCHEMAS, SEARCHED_MAX } from '../../../src/contract/content/search-index.ts';
import { SEARCHED, type SearchedResource } from '../../../src/paths/files.ts';
import { SMALL_LEVELS } from '../../helpers/memory-blobs.ts';
import {
  makeOddPublication,
  type OddPublication,
  type OddTerm,
  packOdd,
  storeOf,
} from '../../helpers/odd-records.ts';
import { createRandom, SEED } from '../../helpers/random.ts';

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
  const store = storeOf(packOdd(publication, { levels: SMALL_LEVELS, max: 4 }));

  test.each(SEARCHED)(`%s are whole (seed ${SEED})`, async (resource) => {
    const document = Buffer.concat(await searchDocument(store, resource));
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
  const document = Buffer.concat(await searchDocument(storeOf(packed), 'posts'));
  const found = (JSON.parse(document.toString()) as { posts: { title: string }[] }).posts;
  expect([found.length, found[0]?.title, found.at(-1)?.title]).toEqual([
    SEARCHED_MAX,
    `Post ${SEARCHED_MAX}`,
    'Post 1',
  ]);
});
