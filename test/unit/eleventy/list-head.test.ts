import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readListHead } from '../../../src/eleventy/list-head.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const fileOf = (records: unknown): string => {
  const file = join(temporaryFolder(), 'index.json');
  writeFileSync(file, JSON.stringify({ posts: records, meta: { pagination: { page: 1 } } }));
  return file;
};

it('reads the first records of a list, whatever they hold', () => {
  const record = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(record), fc.nat(5), (records, count) => {
      const expected = JSON.parse(JSON.stringify(records.slice(0, count)));
      expect(readListHead(fileOf(records), count)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

it('reads records that are longer than what it reads at once', () => {
  const records = [1, 2, 3].map((id) => ({ id, html: '{"ä\\}]'.repeat(30_000) }));
  expect(readListHead(fileOf(records), 2)).toEqual(records.slice(0, 2));
});

it('does not read on', () => {
  const file = join(temporaryFolder(), 'index.json');
  writeFileSync(file, `{"posts":[{"id":1},{"id":2}${' broken'.repeat(100_000)}`);
  expect(readListHead(file, 2)).toEqual([{ id: 1 }, { id: 2 }]);
});

it('finds nothing in an empty or absent list', () => {
  expect(readListHead(fileOf([]), 3)).toEqual([]);
  expect(readListHead('/nowhere/index.json', 3)).toEqual([]);
});
