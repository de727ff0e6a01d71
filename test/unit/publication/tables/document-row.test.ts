import { expect, test } from 'vitest';
import { toDocumentRow, toRecordRow } from '../../../../src/publication/tables/document-row.ts';

test('a row that is older than a column has null there, and bytes are read as text', () => {
  const row = { id: 'a', slug: Buffer.from('s'), foreign: 1 };
  const [tag, whole] = [toDocumentRow('tags', row), toRecordRow('tags', row)];
  expect(tag).toMatchObject({ id: 'a', slug: 's', name: null });
  expect(whole).toMatchObject({ id: 'a', slug: 's', name: null, created_at: null });
  expect([tag, whole].some((read) => 'foreign' in read)).toBe(false);
  expect(toRecordRow('posts', row)).not.toHaveProperty('lexical');
  expect(toRecordRow('labels', { id: 'b' } as never)).toEqual({ id: 'b' });
});
