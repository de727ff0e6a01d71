// Copies a post or page as a draft of its own, with its tags, authors and tiers (as Ghost does). What names the original
// or its mail stays there: its address elsewhere, its newsletter, the mail's subject, and that it is e-mail only.
import { randomUUID } from 'node:crypto';
import { createId } from '../../../base/ids.ts';
import { toStoredTime } from '../../../base/time.ts';
import { linksOfPosts } from '../../../publication/store/content/linked-posts.ts';
import {
  findMetaRows,
  findPostById,
  insertPost,
  type PostType,
  saveMeta,
} from '../../../publication/store/content/posts.ts';
import { replaceLinks } from '../../../publication/store/ordered-links.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import { saveContent } from '../save-content.ts';
import { resolveAuthors } from './post-relations.ts';
import { freePostSlug } from './post-slug.ts';
import type { PostsContext } from './posts.ts';
import { postNotFound } from './read-post.ts';

type Original = { readonly type: PostType; readonly id: string };

/** Answers the copy's id. Throws NOT_FOUND. */
export const copyPost = (context: PostsContext, original: Original): Promise<string> => {
  const nowMs = context.clock.now();
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  return saveContent(context, nowMs, async (tx) => {
    const stored = await findPostById(tx, original.type, original.id);
    if (stored === undefined) throw postNotFound(original.type);
    const title = copiedTitle(stored.title);
    await insertPost(tx, {
      ...stored,
      id,
      uuid: randomUUID(),
      comment_id: id,
      title,
      slug: await freePostSlug(context, tx, { text: title, exceptId: null }),
      status: 'draft',
      published_at: null,
      canonical_url: null,
      newsletter_id: null,
      created_at: at,
      updated_at: at,
    });
    const [meta] = await findMetaRows(tx, [original.id]);
    if (meta !== undefined) {
      const { id: _id, post_id: _post, email_subject: _subject, ...texts } = meta;
      await saveMeta(tx, { id: createId(nowMs), postId: id }, { ...texts, email_only: 0 });
    }
    await copyLinks(tx, original.id, id);
    return id;
  });
};

const TITLE_CHARACTERS_MAX = 255;

const copiedTitle = (title: string): string => {
  const end = ' (Copy)';
  return `${[...title].slice(0, TITLE_CHARACTERS_MAX - end.length).join('')}${end}`;
};

const copyLinks = async (tx: Transaction, from: string, postId: string): Promise<void> => {
  const links = (await linksOfPosts(tx, [from])).get(from);
  const idsOf = (records: readonly { readonly id: string }[] = []): string[] => [
    ...new Set(records.map(({ id }) => id)),
  ];
  const authors = idsOf(links?.authors);
  const wanted = {
    posts_tags: idsOf(links?.tags),
    posts_authors:
      authors.length > 0 ? authors : await resolveAuthors(tx, null, { postId, isNew: true }),
    posts_tiers: idsOf(links?.tiers),
  } as const;
  for (const table of ['posts_tags', 'posts_authors', 'posts_tiers'] as const) {
    await replaceLinks(tx, { table, of: postId }, wanted[table]);
  }
};
