// The ordered links of records: what stays keeps its row, and links that are the same are no change.
import { expect, test } from 'vitest';
import { replaceLinks } from '../../../../src/publication/store/ordered-links.ts';
import { createPublication } from '../../../helpers/publication.ts';

test('links are replaced in order, those that stay keep their rows, and the same ones are no change', async () => {
  const { store, shell, insert } = await createPublication();
  const label = (slug: string) => insert('labels', { name: slug, slug, created_at: 'x' });
  const [a, b, c] = [label('a'), label('b'), label('c')];
  const of = insert('members', {});
  const replace = (ids: readonly string[]) =>
    store.write((tx) => replaceLinks(tx, { table: 'members_labels', of }, ids));
  const list = () =>
    shell
      .prepare('SELECT id, label_id, sort_order FROM members_labels ORDER BY sort_order')
      .all() as { id: string; label_id: string; sort_order: number }[];
  expect(await replace([a, b])).toBe(true);
  const before = list();
  expect(await replace([a, b])).toBe(false);
  expect(await replace([b, c])).toBe(true);
  expect(list()).toMatchObject([
    { id: before[1]?.id, label_id: b, sort_order: 0 },
    { label_id: c, sort_order: 1 },
  ]);
});
