// Publications with odd data, made from a random number: as plain objects, which an oracle of queries reads, and packed,
// which the executor reads. Nothing of the product renders them.

import type { PackedRecord, PackedTerm } from '../../src/content/tree/records.ts';
import {
  type Collection,
  NULLABLE,
  NULLABLE_SHIFT,
  type Root,
  TREE_FORMAT,
  VISIBILITIES,
} from '../../src/content/tree/tree.ts';
import { createTreeStore, type TreeStore } from '../../src/content/tree/tree-store.ts';
import type { Levels } from '../../src/publish/packed/boundaries.ts';
import { editCollection } from '../../src/publish/packed/edit-collection.ts';
import { CollectionPacker } from '../../src/publish/packed/pack-collection.ts';
import { packTerms } from '../../src/publish/packed/pack-terms.ts';
import { createMemoryBlobs, type MemoryBlobs } from './memory-blobs.ts';

export type OddTerm = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly visibility: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly embedded: Readonly<Record<string, unknown>>;
};

export type OddRecord = {
  readonly id: string;
  readonly publishedMs: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly tags: readonly OddTerm[];
  readonly authors: readonly OddTerm[];
  readonly plaintext: string | null;
  readonly document: Readonly<Record<string, unknown>>;
};

export type OddPublication = {
  readonly posts: readonly OddRecord[];
  readonly pages: readonly OddRecord[];
  readonly tags: readonly OddTerm[];
  readonly authors: readonly OddTerm[];
};

export const ODD_NOW = Date.parse('2026-06-15T12:34:56.789Z');
const DAY = 86_400_000;

/** Times that many records share, around the present and a year's end. */
export const ODD_TIMES = [
  '2024-12-31T23:59:59.999Z',
  '2025-01-01T00:00:00.000Z',
  '2025-01-01T00:00:00.001Z',
  '2026-06-08T12:34:56.789Z',
  '2026-06-15T12:34:56.789Z',
].map((text) => Date.parse(text));

const WORDS = [
  'Alpha',
  'alpha',
  'ALPHA',
  'Über',
  'über',
  'éclair',
  'Eclair',
  '日本語の題',
  '한국어',
  '🙂 smile',
  'İstanbul',
  'quote " and \\ back',
  '{"brace":[1,2]}',
  "it's",
  'a_b%c',
  'line\nbreak\ttab',
  'Ωmega',
  ' lead',
  '',
  '100',
  'null',
];

export type Random = () => number;
export const pick = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T;
export const chance = (random: Random, share: number): boolean => random() < share;

const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

const makeTerms = (random: Random, kind: 'tag' | 'author', count: number): OddTerm[] =>
  Array.from({ length: count }, (_, at) => {
    const isInternal = kind === 'tag' && chance(random, 0.3);
    const name = `${isInternal ? '#' : ''}${pick(random, WORDS)}`;
    const slug = `${isInternal ? 'hash-' : ''}${kind.charAt(0)}-${pick(random, ['x', 'Y', 'ü', '日', '7'])}${at}`;
    const visibility = isInternal ? 'internal' : 'public';
    const id = hex(random, 24);
    const shared = { id, slug, name, description: pick(random, [null, ...WORDS]) };
    return {
      id,
      slug,
      name,
      visibility,
      document:
        kind === 'tag'
          ? {
              ...shared,
              visibility,
              codeinjection_head: pick(random, WORDS),
              url: `https://x/${at}`,
            }
          : { ...shared, bio: pick(random, WORDS), meta_title: null, url: `https://x/a/${at}` },
      embedded:
        kind === 'tag'
          ? { id, name, slug, description: shared.description, visibility }
          : { id, slug, name, bio: pick(random, WORDS) },
    };
  });

const someOf = <T>(random: Random, items: readonly T[], most: number): T[] => {
  const chosen = new Set<T>();
  for (let left = Math.floor(random() * (most + 1)); left > 0; left -= 1) {
    if (items.length > 0) chosen.add(pick(random, items));
  }
  return [...chosen];
};

const makeTime = (random: Random): number =>
  chance(random, 0.5)
    ? pick(random, ODD_TIMES)
    : ODD_NOW - Math.floor(random() * 900) * DAY + Math.floor(random() * 3);

const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00');

type Terms = { readonly tags: readonly OddTerm[]; readonly authors: readonly OddTerm[] };

const makeRecord = (random: Random, at: number, { tags, authors }: Terms): OddRecord => {
  const id = hex(random, 24);
  const visibility = pick(random, VISIBILITIES);
  const text = (): string => pick(random, WORDS).repeat(Math.floor(random() * 6));
  const body = pick(random, [null, '', text(), `<p class="a">${text()}</p>\n<p>\\"${text()}</p>`]);
  const [publishedMs, createdMs, updatedMs] = [0, 1, 2].map(() => makeTime(random)) as [
    number,
    number,
    number,
  ];
  const orNull = (): string | null => (chance(random, 0.6) ? null : pick(random, WORDS) || null);
  return {
    id,
    publishedMs,
    createdMs,
    updatedMs,
    tags: someOf(random, tags, 4),
    authors: someOf(random, authors, 3),
    plaintext: body === null ? null : text(),
    document: {
      id,
      uuid: `${hex(random, 8)}-${at}`,
      slug: `${pick(random, ['post', 'Post', 'p-ö', '日本', '0'])}-${at}`,
      title: pick(random, WORDS),
      html: body === null ? null : visibility === 'public' ? body : '',
      comment_id: id,
      feature_image: orNull(),
      featured: chance(random, 0.3),
      visibility,
      created_at: iso(createdMs),
      updated_at: iso(updatedMs),
      published_at: iso(publishedMs),
      custom_excerpt: orNull(),
      // No filter can be written that ends in a backslash.
      excerpt: pick(random, [...WORDS, 'ends in \\', '\\\\']),
      codeinjection_head: orNull(),
      canonical_url: orNull(),
      url: `https://x.test/${at}/`,
      reading_time: Math.floor(random() * 9),
      access: visibility === 'public',
      og_title: orNull(),
      twitter_image: orNull(),
      nested: pick(random, [[], {}, [{ a: '}"' }, 1.5], { b: ['x', null, true] }]),
      email_subject: orNull(),
    },
  };
};

export const makeOddPublication = (random: Random, size: number): OddPublication => {
  const terms = {
    tags: makeTerms(random, 'tag', Math.floor(random() * (size / 3 + 3))),
    authors: makeTerms(random, 'author', Math.floor(random() * (size / 5 + 3))),
  };
  const make = (count: number): OddRecord[] =>
    Array.from({ length: count }, (_, at) => makeRecord(random, at, terms));
  return { posts: make(size), pages: make(Math.floor(random() * (size / 2 + 1))), ...terms };
};

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const toPackedRecord = (record: OddRecord): PackedRecord => {
  const { html, ...card } = record.document;
  let flags = record.document.featured ? 1 : 0;
  flags |= VISIBILITIES.indexOf(record.document.visibility as 'public') << 1;
  NULLABLE.forEach((column, at) => {
    if ((record.document[column] ?? null) !== null) flags |= 1 << (NULLABLE_SHIFT + at);
  });
  return {
    id: record.id,
    ms: record.publishedMs,
    created: record.createdMs,
    updated: record.updatedMs,
    flags,
    tags: record.tags.map(({ id }) => id),
    authors: record.authors.map(({ id }) => id),
    title: String(card.title),
    slug: String(card.slug),
    uuid: String(card.uuid),
    line: bytesOf(record.document),
    card: bytesOf(card),
    plain: bytesOf(record.plaintext),
  };
};

export const postsOf = (publication: OddPublication, term: OddTerm): number =>
  publication.posts.filter(({ tags, authors }) => [...tags, ...authors].includes(term)).length;

export type PackOptions = {
  readonly levels: Levels;
  readonly max: number;
  /** Packed by edits of an earlier state, not all at once. */
  readonly isEdited?: boolean;
};

type Tools = { readonly blobs: MemoryBlobs; readonly levels: Levels };

const packAtOnce = ({ blobs, levels }: Tools, records: readonly PackedRecord[]): Collection => {
  const packer = new CollectionPacker(blobs, levels);
  for (const record of [...records].sort((a, b) => a.ms - b.ms || (a.id < b.id ? -1 : 1))) {
    packer.add(record);
  }
  return packer.finish();
};

/** Every second record was another one before, every third was not there, and some are there no more. */
const packByEdits = (tools: Tools, records: readonly PackedRecord[]): Collection => {
  const earlier = records.map((record, at): PackedRecord => {
    const slug = `earlier-${record.slug}`;
    return at % 2 === 0 ? record : { ...record, ms: record.ms - 1_000, title: 'Earlier', slug };
  });
  const gone = earlier.slice(0, 5).map(
    (record): PackedRecord => ({
      ...record,
      id: [...record.id].reverse().join(''),
      slug: `gone-${record.slug}`,
    }),
  );
  const stood = (_record: PackedRecord, at: number): boolean => at % 3 !== 0;
  let collection = packAtOnce(tools, [...earlier.filter(stood), ...gone]);
  collection = editCollection(
    tools,
    collection,
    gone.map((before) => ({ before, after: null })),
  );
  return editCollection(
    tools,
    collection,
    records.map((after, at) => {
      const before = earlier[at] ?? after;
      return { before: stood(before, at) ? before : null, after };
    }),
  );
};

export const packOdd = (
  publication: OddPublication,
  { levels, max, isEdited = false }: PackOptions,
): { readonly blobs: MemoryBlobs; readonly root: Root } => {
  const blobs = createMemoryBlobs();
  const pack = (records: readonly OddRecord[]): Collection => {
    const packed = records.map(toPackedRecord);
    return (isEdited ? packByEdits : packAtOnce)({ blobs, levels }, packed);
  };
  const packAll = (terms: readonly OddTerm[]) =>
    packTerms(
      { blobs, levels },
      terms.map(
        (term): PackedTerm => ({
          id: term.id,
          slug: term.slug,
          name: term.name,
          visibility: term.visibility,
          posts: postsOf(publication, term),
          line: JSON.stringify(term.document),
          embedded: JSON.stringify(term.embedded),
        }),
      ),
    );
  const root: Root = {
    format: TREE_FORMAT,
    max,
    posts: pack(publication.posts),
    pages: pack(publication.pages),
    tags: packAll(publication.tags),
    authors: packAll(publication.authors),
  };
  return { blobs, root };
};

/** A store over blobs in memory. */
export const storeOf = (
  { blobs, root }: { readonly blobs: MemoryBlobs; readonly root: Root },
  bytesMax = 64 * 1024 * 1024,
): TreeStore =>
  createTreeStore({
    readRoot: () => Promise.resolve(root),
    readBlob: (name) => Promise.resolve(blobs.all.get(name) ?? null),
    bytesMax,
  });
