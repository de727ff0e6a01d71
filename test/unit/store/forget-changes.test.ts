import { expect, test } from 'vitest';
import { forgetChanges } from '../../../src/store/forget-changes.ts';
import type { Store } from '../../../src/store/store.ts';
import { createPublication } from '../../helpers/publication.ts';

test('a long log is forgotten in short transactions, a quarter of it at once', async () => {
  const { store, shell } = await createPublication();
  shell.exec(
    `INSERT INTO members (id, uuid, email, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24000)
     SELECT printf('%024x', i), 'u' || i, 'm' || i, '2026-01-01' FROM n`,
  );
  const count = (): number => shell.prepare('SELECT count(*) FROM changes').pluck().get() as number;
  const left: number[] = [count()];
  const watched: Store = {
    ...store,
    reader: store.reader,
    write: async (run, options) => {
      const result = await store.write(run, options);
      left.push(count());
      return result;
    },
  };
  await forgetChanges(watched, 24_000);
  expect(left).toEqual([24_000, 22_000, 20_000, 18_000]);
  await forgetChanges(watched, 6_002);
  expect(left.slice(4)).toEqual([17_999]);
  expect(shell.prepare('SELECT min(seq) FROM changes').pluck().get()).toBe(6_002);
  await forgetChanges(watched, 6_002);
  expect(left).toHaveLength(5);
});
