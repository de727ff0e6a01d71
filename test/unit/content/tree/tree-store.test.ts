// Blobs are read once, kept up to a number of bytes, the longest unused go first; failures are not kept.
import { expect, test } from 'vitest';
import type { Root } from '../../../../src/content/tree/tree.ts';
import { createTreeStore, isMissingBlob } from '../../../../src/content/tree/tree-store.ts';

const LENGTHS: Readonly<Record<string, number>> = { a: 10, b: 10, c: 10, large: 100 };

const createCounted = (bytesMax: number) => {
  const read: string[] = [];
  const gone = new Set<string>();
  const store = createTreeStore({
    bytesMax,
    readRoot: () => Promise.reject(new Error('not asked for')) as Promise<Root>,
    readBlob: async (name) => {
      read.push(name);
      return gone.has(name) ? null : new Uint8Array(LENGTHS[name] ?? 0);
    },
  });
  const get = (name: string): Promise<number> => store.get(name, (bytes) => bytes.length);
  return { store, read, gone, get };
};

test('a blob is read and decoded once for all who ask', async () => {
  const { read, get, store } = createCounted(1_000);
  let decoded = 0;
  const decode = (): number => (decoded += 1);
  expect(await Promise.all([store.get('a', decode), store.get('a', decode)])).toEqual([1, 1]);
  expect(await store.get('a', decode)).toBe(1);
  expect(await get('a')).toBe(1);
  expect(read).toEqual(['a']);
});

test('the longest unused blobs go first', async () => {
  const { read, get } = createCounted(20);
  await get('a');
  await get('b');
  await get('a');
  await get('c');
  await get('a');
  expect(read).toEqual(['a', 'b', 'c']);
  await get('b');
  expect(read).toEqual(['a', 'b', 'c', 'b']);
  // a was used after c.
  await get('a');
  expect(read).toHaveLength(4);
  await get('c');
  expect(read).toHaveLength(5);
});

test('a blob that is larger than all that is kept is handed out, and not kept', async () => {
  const { read, get } = createCounted(20);
  expect(await get('large')).toBe(100);
  expect(await get('large')).toBe(100);
  expect(read).toEqual(['large', 'large']);
  await get('a');
  await get('a');
  expect(read).toEqual(['large', 'large', 'a']);
});

test('what is gone is named, and asked for again', async () => {
  const { read, get, gone } = createCounted(20);
  gone.add('a');
  const thrown = await get('a').catch((error: unknown) => error);
  expect(isMissingBlob(thrown) && thrown.missingBlob).toBe('a');
  gone.delete('a');
  expect(await get('a')).toBe(10);
  expect(read).toEqual(['a', 'a']);
});

test('what cannot be decoded is read again', async () => {
  const { store, read, get } = createCounted(20);
  const decode = (): never => {
    throw new Error('cut off');
  };
  await expect(store.get('a', decode)).rejects.toThrow('cut off');
  expect(await get('a')).toBe(10);
  expect(read).toEqual(['a', 'a']);
  // Bytes of what was not kept are not counted.
  await get('b');
  await get('a');
  expect(read).toEqual(['a', 'a', 'b']);
});
