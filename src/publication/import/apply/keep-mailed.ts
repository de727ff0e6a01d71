// Keeps posts that the file calls e-mail only off the web for good, also where the row that said so was not taken: it
// was at fault in another column, or a second one of its post.

import { deriveId } from '../../../base/ids.ts';
import { db } from '../../store/db.ts';
import type { ApplyContext } from './apply-context.ts';

export const keepMailed = async ({ tx, stage, aliases }: ApplyContext): Promise<void> => {
  for (const batch of stage.rows('posts')) {
    const mailed = stage.marked(
      'mailed',
      'posts',
      batch.map(({ id }) => id),
    );
    for (const id of mailed) await markPost(tx, aliases.resolve('posts', id));
  }
};

const markPost = async (tx: ApplyContext['tx'], postId: string): Promise<void> => {
  const post = await db(tx)
    .selectFrom('posts')
    .leftJoin('posts_meta', 'posts_meta.post_id', 'posts.id')
    .select(['posts_meta.id as metaId', 'posts_meta.email_only as emailOnly'])
    .where('posts.id', '=', postId)
    .executeTakeFirst();
  if (post === undefined || post.emailOnly === 1) return;
  if (post.metaId === null) {
    const row = { id: deriveId('posts_meta', postId), post_id: postId, email_only: 1 };
    await db(tx).insertInto('posts_meta').values(row).execute();
  } else {
    await db(tx)
      .updateTable('posts_meta')
      .set({ email_only: 1 })
      .where('post_id', '=', postId)
      .execute();
  }
};
