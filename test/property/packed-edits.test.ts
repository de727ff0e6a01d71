// A packed collection after edits is, to the byte and the name, the one that a full packing makes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PackedRecord, RecordEdit } from '../../src/content/tree/records.ts';
import type { Collection } from '../../src/content/tree/tree.ts';
import { hashId, type Levels } from '../../src/publish/packed/boundaries.ts';
import { editCollection } from '../../src/publish/packed/edit-collection.ts';
import { CollectionPacker, EMPTY_COLLECTION } from '../../src/publish/packed/pack-collection.ts';
import { createMemoryBlobs, type MemoryBlobs, SMALL_LEVELS } from '../helpers/memory-blobs.ts';

const IS_SABOTAGED = process.env.PREPRESS_TEST_SABOTAGE !== undefined;
const RUNS = Number(process.env.PREPRESS_TEST_RUNS ?? (IS_SABOTAGED ? 400 : 40));

const MANY = Array.from({ length: 4_000 }, (_, at) => `64b0${at.toString(16).padStart(20, '0')}`);
/** Some begin a blob of every family; columns, whose ends depend on the newest of those, have enough of them. */
const isOpening = (id: string): boolean => hashId(id) % 2 ** SMALL_LEVELS.columns.bits === 0;
const IDS = [
  ...MANY.filter(isOpening).slice(0, 8),
  ...MANY.filter((id) => !isOpening(id)).slice(0, 82),
];
/** Ids whose hash never begins a blob. */
const HOSTILE = Array.from({ length: 4_000 }, (_, at) => at.toString(16).padStart(24, 'a'))
  .filter((id) => hashId(id) % 2 === 1)
  .slice(0, 90);

const word = fc.constantFrom('a', 'A', 'b', 'é', 'z', '한', '🙂', 'long '.repeat(40));

const shape = fc.record({
  ms: fc.integer({ min: 0, max: 12 }),
  updated: fc.integer({ min: 0, max: 5 }),
  flags: fc.integer({ min: 0, max: 2 ** 21 - 1 }),
  tags: fc.subarray(['1', '2', '3'].map((digit) => digit.repeat(24))),
  authors: fc.subarray(['8', '9'].map((digit) => digit.repeat(24))),
  title: word,
  slug: fc.constantFrom('s', 't', 'ü'),
  body: word,
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

const toRecord = (id: string, { body, ...rest }: Shape): PackedRecord => ({
  ...rest,
  id,
  created: rest.ms - 1,
  slug: `${rest.slug}-${id.slice(-3)}`,
  uuid: `uuid-${id}`,
  line: Buffer.from(JSON.stringify({ id, title: rest.title, html: body })),
  card: Buffer.from(JSON.stringify({ id, title: rest.title })),
  plain: Buffer.from(JSON.stringify(body)),
});

const place = fc.oneof(
  { weight: 1, arbitrary: fc.nat({ max: 7 }) },
  { weight: 4, arbitrary: fc.nat({ max: 89 }) },
);
const edit = fc.tuple(place, fc.option(shape, { freq: 3 }));
const rounds = fc.array(fc.array(edit, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 12,
});

const plain = (ms: number): Shape => ({
  ms,
  updated: 0,
  flags: 0,
  tags: [],
  authors: [],
  title: 'a',
  slug: 's',
  body: 'a',
});
/** The record of the newest boundary of long runs moves over a chunk that began a short run. */
const MOVED_BOUNDARY: [number, Shape | null][][] = [
  [[88, plain(1)]],
  [
    [11, plain(1)],
    [0, plain(0)],
  ],
  [[0, plain(1)]],
];

type State = ReadonlyMap<string, PackedRecord>;

const packAll = (blobs: MemoryBlobs, state: State, levels: Levels): Collection => {
  const packer = new CollectionPacker(blobs, levels);
  const sorted = [...state.values()].sort((a, b) => a.ms - b.ms || (a.id < b.id ? -1 : 1));
  for (const record of sorted) packer.add(record);
  return packer.finish();
};

const run = (ids: readonly string[], levels: Levels): void => {
  fc.assert(
    fc.property(rounds, (all) => {
      const blobs = createMemoryBlobs();
      let collection = EMPTY_COLLECTION;
      let state: State = new Map();
      for (const round of all) {
        const next = new Map(state);
        for (const [at, value] of round) {
          const id = ids[at] as string;
          if (value === null) next.delete(id);
          else next.set(id, toRecord(id, value));
        }
        const touched = [...new Set(round.map(([at]) => ids[at] as string))];
        const edits = touched
          .map((id): RecordEdit => ({ before: state.get(id) ?? null, after: next.get(id) ?? null }))
          .filter(({ before, after }) => before !== null || after !== null);
        collection = editCollection({ blobs, levels }, collection, edits);
        state = next;
        const fresh = createMemoryBlobs();
        expect(collection).toEqual(packAll(fresh, state, levels));
        for (const [name, bytes] of fresh.all) {
          expect(blobs.all.get(name)?.equals(bytes), name).toBe(true);
        }
        // Columns without ids may stand for two runs; the collection names them itself.
        const named = JSON.stringify(collection);
        const alive = new Set([
          ...blobs.alive,
          ...[...fresh.all.keys()].filter((name) => named.includes(name)),
        ]);
        expect([...alive].sort()).toEqual([...fresh.all.keys()].sort());
      }
    }),
    { numRuns: RUNS, endOnFailure: IS_SABOTAGED, examples: [[MOVED_BOUNDARY]] },
  );
};

test('edits give what a full packing gives', () => run(IDS, SMALL_LEVELS));

test('so they do where no id begins a blob', () => run(HOSTILE, SMALL_LEVELS));
