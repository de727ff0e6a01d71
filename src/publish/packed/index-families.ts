// The families that find records: by slug, by id, and in the order of titles. Each is one list in its order.
import { compareCodeUnits, compareText } from '../../base/text/collation.ts';
import type { Ids, Slugs, Titles } from '../../content/tree/tree.ts';
import type { Level } from './boundaries.ts';
import { decodeJson, encodeJson, type IndexKey } from './directories.ts';
import type { Family } from './family.ts';

/** `first` is what the order is by: a slug, an id or a title. */
export type IndexRow = IndexKey & { readonly ms: number };

const index = (
  level: Level,
  form: Pick<Family<IndexRow, IndexKey>, 'encode' | 'decode'> & {
    readonly compareFirst: (one: string, other: string) => number;
  },
): Family<IndexRow, IndexKey> => ({
  level,
  ending: '.txt',
  keyOf: ({ first, id }) => ({ first, id }),
  compare: (one, other) =>
    form.compareFirst(one.first, other.first) || compareCodeUnits(one.id, other.id),
  bytesOf: () => 0,
  encode: form.encode,
  decode: form.decode,
});

const msOf = (rows: readonly IndexRow[]): number[] => rows.map(({ ms }) => ms);
const idsOf = (rows: readonly IndexRow[]): string[] => rows.map(({ id }) => id);
const firstsOf = (rows: readonly IndexRow[]): string[] => rows.map(({ first }) => first);

const rowsOf = (
  first: readonly string[],
  { id, ms }: { readonly id: readonly string[]; readonly ms: readonly number[] },
): IndexRow[] =>
  id.map((one, at) => ({ first: first[at] as string, id: one, ms: ms[at] as number }));

export const slugsFamily = (level: Level): Family<IndexRow, IndexKey> =>
  index(level, {
    compareFirst: compareCodeUnits,
    encode: (rows) => [
      encodeJson({ slug: firstsOf(rows), id: idsOf(rows), ms: msOf(rows) } satisfies Slugs),
    ],
    decode: ([bytes]) => {
      const slugs = decodeJson<Slugs>(bytes);
      return rowsOf(slugs.slug, slugs);
    },
  });

export const idsFamily = (level: Level): Family<IndexRow, IndexKey> =>
  index(level, {
    compareFirst: compareCodeUnits,
    encode: (rows) => [encodeJson({ id: idsOf(rows), ms: msOf(rows) } satisfies Ids)],
    decode: ([bytes]) => {
      const ids = decodeJson<Ids>(bytes);
      return rowsOf(ids.id, ids);
    },
  });

export const titlesFamily = (level: Level): Family<IndexRow, IndexKey> =>
  index(level, {
    compareFirst: compareText,
    encode: (rows) => [
      encodeJson({ title: firstsOf(rows), id: idsOf(rows), ms: msOf(rows) } satisfies Titles),
    ],
    decode: ([bytes]) => {
      const titles = decodeJson<Titles>(bytes);
      return rowsOf(titles.title, titles);
    },
  });
