import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { db } from '../../../../src/publication/store/db.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('the write-ahead log shrinks again after a large commit', async () => {
  const { path, store, insert } = await createPublication();
  insert('tags', {});
  const describe = (description: string): Promise<unknown> =>
    store.write((tx) => db(tx).updateTable('tags').set({ description }).execute());
  const logBytes = (): number => statSync(`${path}-wal`).size;
  await describe('x'.repeat(20_000_000));
  expect(logBytes()).toBeGreaterThan(20_000_000);
  // The change log holds the row as it was: this commit is large, too.
  await describe('y');
  await describe('z');
  expect(logBytes()).toBeLessThan(10_000_000);
});
