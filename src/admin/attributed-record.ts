// Finds the record that a signup is attributed to, with its address and title as they are now.
import type { AttributedRecord } from '../documents/admin/attribution.ts';
import { adminAuthor } from '../documents/admin/author.ts';
import type { AdminContext } from '../documents/admin/context.ts';
import { adminPost } from '../documents/admin/post.ts';
import { adminTag } from '../documents/admin/tag.ts';
import type { AttributionRow } from '../store/member-rows.ts';
import { linksOfPosts } from '../store/post-links.ts';
import { findMetaRows, findPostById } from '../store/posts.ts';
import { isShownPost } from '../store/shown-posts.ts';
import type { Reader } from '../store/store.ts';
import { findTagById } from '../store/tags.ts';
import { findUserBy } from '../store/users.ts';

/** Undefined when the attribution names no record, or one that is gone or has no page. */
export const findAttributedRecord = async (
  reader: Reader,
  row: AttributionRow | undefined,
  shape: AdminContext,
): Promise<AttributedRecord | undefined> => {
  const id = row?.attribution_id;
  const type = row?.attribution_type;
  if (!id) return undefined;
  if (type === 'post' || type === 'page') {
    const post = await findPostById(reader, type, id);
    const [meta = null] = await findMetaRows(reader, [id]);
    if (post === undefined || !isShownPost({ post, meta })) return undefined;
    const links = (await linksOfPosts(reader, [id])).get(id);
    const record = { post, meta, tags: [], authors: [], tiers: [], ...links };
    return { url: String(adminPost(record, shape).url), title: post.title };
  }
  if (type === 'tag') {
    const tag = await findTagById(reader, id);
    return tag && { url: String(adminTag(tag, shape).url), title: tag.name };
  }
  if (type === 'author') {
    const user = await findUserBy(reader, 'id', id);
    return user && { url: String(adminAuthor(user, shape).url), title: user.name };
  }
  return undefined;
};
