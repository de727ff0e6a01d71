// Answers of the executor are, byte for byte, what an oracle works out on plain objects: over publications with odd data,
// packed into small blobs and into blobs of the usual sizes, all at once and by edits.
import { describe, expect, test } from 'vitest';
import { answerList, answerRecord } from '../../src/content/queries/answer.ts';
import { LEVELS } from '../../src/publish/packed/boundaries.ts';
import { makeQuery } from '../helpers/made-query.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { makeOddPublication, ODD_NOW, packOdd, pick, storeOf } from '../helpers/odd-records.ts';
import { expectedList, expectedRecord, type OracleResource } from '../helpers/query-oracle.ts';
import { createRandom, SEED } from '../helpers/random.ts';

const RESOURCES: readonly OracleResource[] = [
  'posts',
  'posts',
  'posts',
  'pages',
  'tags',
  'authors',
];
const SIZES = [0, 1, 2, 9, 40, 80, 80, 150, 150, 300];
const QUERIES = Number(process.env.PREPRESS_TEST_RUNS ?? 500);

const textOf = (pieces: readonly Uint8Array[] | null): string =>
  pieces === null ? 'null' : Buffer.concat(pieces).toString('utf8');

describe.each(SIZES.map((size, at) => ({ size, at })))(
  '$size records, publication $at',
  ({ size, at }) => {
    const seed = SEED * 10 + at;
    // Numbers of neighbouring seeds begin alike: these are far apart.
    const random = createRandom(Math.imul(seed, 0x9e3779b1));
    const publication = makeOddPublication(random, size);
    const max = pick(random, [4, 10, 60, 1_000]);
    const levels = at % 3 === 2 ? LEVELS : SMALL_LEVELS;
    const packed = packOdd(publication, { levels, max, isEdited: at % 2 === 1 });
    const store = storeOf(packed, pick(random, [0, 20_000, 64 * 1024 * 1024]));

    test(`${QUERIES} lists (seed ${SEED})`, async () => {
      for (let left = QUERIES; left > 0; left -= 1) {
        const resource = pick(random, RESOURCES);
        const { query, raw } = makeQuery({ random, publication, resource }, max);
        const pieces = await answerList(store, resource, { rawQuery: raw, nowMs: ODD_NOW });
        expect(textOf(pieces), `${resource}?${raw}`).toBe(
          expectedList(publication, resource, query),
        );
      }
    });

    test(`reads by id and slug (seed ${SEED})`, async () => {
      for (const resource of ['posts', 'pages', 'tags', 'authors'] as const) {
        for (const item of publication[resource].slice(0, 40)) {
          const { query, raw } = makeQuery({ random, publication, resource }, max);
          const slug = String(item.document.slug);
          for (const column of ['id', 'slug'] as const) {
            const key = { column, value: column === 'id' ? item.id : slug };
            const pieces = await answerRecord(store, resource, { key, rawQuery: raw });
            const expected = expectedRecord(publication, resource, {
              id: item.id,
              key: column,
              query,
            });
            expect(textOf(pieces), `${resource} ${JSON.stringify(key)} ${raw}`).toBe(expected);
          }
        }
        for (const column of ['id', 'slug'] as const) {
          for (const value of ['f'.repeat(24), 'nothing', '']) {
            const key = { column, value };
            expect(await answerRecord(store, resource, { key, rawQuery: '' })).toBeNull();
          }
        }
      }
    });
  },
);
