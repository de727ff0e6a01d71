// Keeps posts that the file calls e-mail only off the web for good, also where the row that said so was not taken: it
// was at fault in another column, or a second one of its post.

import { deriveId } from '../../../base/ids.ts';
import { findMetaRows } from '../../store/content/posts.ts';
import { findRows, insertRows, updateRow } from '../../store/import/import-rows.ts';
import type { Transaction } from '../../store/store.ts';
import type { ApplyContext } from './apply-context.ts';

export const keepEmailOnly = async ({ tx, stage, aliases }: ApplyContext): Promise<void> => {
  for (const batch of stage.rows('posts')) {
    const mailed = stage.flagged(
      'mailed',
      'posts',
      batch.map(({ id }) => id),
    );
    for (const id of mailed) await markPost(tx, aliases.resolve('posts', id));
  }
};

const markPost = async (tx: Transaction, postId: string): Promise<void> => {
  const posts = await findRows(tx, { table: 'posts', columns: ['id'], by: 'id', values: [postId] });
  const [meta] = await findMetaRows(tx, [postId]);
  if (posts.length === 0 || meta?.email_only === 1) return;
  const values = { email_only: 1 };
  if (meta !== undefined) return updateRow(tx, { table: 'posts_meta', id: meta.id, values });
  const id = deriveId('posts_meta', postId);
  return insertRows(tx, 'posts_meta', [{ id, post_id: postId, ...values }]);
};
