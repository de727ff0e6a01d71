// What travels between threads in few pieces arrives as it was.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { packEarlier, unpackEarlier } from '../../../src/builder/earlier-records.ts';
import type { Staged } from '../../../src/emit/leaf-writer.ts';
import { packStaged, unpackStaged } from '../../../src/emit/staged-pack.ts';

const hashesOf = (id: string, count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => createHash('sha256').update(`${id} ${at}`).digest());

test.each([0, 1, 3])('%i earlier records', (count) => {
  const records = Array.from({ length: count }, (_, at) => {
    const id = `id${at}`;
    return { id, segment: `slug-${at}`, hashes: hashesOf(id, 4) };
  });
  const packed = structuredClone(packEarlier('posts', records));
  expect([...unpackEarlier(packed)]).toEqual(records.map((record) => [record.id, record]));
});

test('an earlier record without a hash for each variant is left out', () => {
  const records = [2, 1, 2].map((count, at) => {
    const id = `id${at}`;
    return { id, segment: id, hashes: hashesOf(id, count) };
  });
  const found = unpackEarlier(packEarlier('tags', records));
  expect([...found.keys()]).toEqual(['id0', 'id2']);
  expect(found.get('id2')?.hashes).toEqual(hashesOf('id2', 2));
});

test.each([0, 1, 3])('%i staged files', (count) => {
  const staged: Staged[] = Array.from({ length: count }, (_, at) => ({
    temporary: `/tmp/staged/a${at}`,
    name: `posts/${at}/index.json`,
    isAlias: at % 2 === 1,
  }));
  expect(unpackStaged(structuredClone(packStaged(staged)))).toEqual(staged);
});
