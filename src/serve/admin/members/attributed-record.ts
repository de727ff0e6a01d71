// Finds the record that a signup is attributed to, with its address and title as they are now.
import type { AttributedRecord } from '../../../publication/documents/admin/attribution.ts';
import { adminAuthor } from '../../../publication/documents/admin/author.ts';
import type { AdminContext } from '../../../publication/documents/admin/document-context.ts';
import { adminPost } from '../../../publication/documents/admin/post.ts';
import { adminTag } from '../../../publication/documents/admin/tag.ts';
import { linksOfPosts } from '../../../publication/store/content/linked-posts.ts';
import { findMetaRows, findPostById } from '../../../publication/store/content/posts.ts';
import { findTagById } from '../../../publication/store/content/tags.ts';
import { findUserBy } from '../../../publication/store/content/users.ts';
import type { AttributionRow } from '../../../publication/store/members/member-rows.ts';
import type { Queryable } from '../../../publication/store/store.ts';
import { isPublicPost } from '../../../publication/tables/published-posts.ts';

/** Undefined when the attribution names no record, or one that is gone or has no page. */
export const findAttributedRecord = async (
  from: Queryable,
  row: AttributionRow | undefined,
  shape: AdminContext,
): Promise<AttributedRecord | undefined> => {
  const id = row?.attribution_id;
  const type = row?.attribution_type;
  if (!id) return undefined;
  if (type === 'post' || type === 'page') {
    const post = await findPostById(from, type, id);
    const [meta = null] = await findMetaRows(from, [id]);
    if (post === undefined || !isPublicPost({ post, meta })) return undefined;
    const links = (await linksOfPosts(from, [id])).get(id);
    const record = { post, meta, tags: [], authors: [], tiers: [], ...links };
    return { url: String(adminPost(record, shape).url), title: post.title };
  }
  if (type === 'tag') {
    const tag = await findTagById(from, id);
    return tag && { url: String(adminTag(tag, shape).url), title: tag.name };
  }
  if (type === 'author') {
    const user = await findUserBy(from, 'id', id);
    return user && { url: String(adminAuthor(user, shape).url), title: user.name };
  }
  return undefined;
};
