// What records that are set aside change in what documents are made of: the earlier row in place of the present one,
// and conditions for the posts that count as shown. Without such records nothing is changed.
import type { PostRow, PostSource } from '../../tables/rows.ts';
import type { RecordHolder } from '../last-good-row.ts';
import type { SetAsideReader } from './set-aside-reader.ts';

/** The earlier row of a post or page that is set aside; what it is linked to is as it is now. */
export const lastGoodPost = (source: PostSource, aside: SetAsideReader): PostSource => {
  const { post } = source;
  const kept = aside.has('posts', post.id) ? aside.row('posts', post.id) : null;
  if (kept === null) return source;
  const { row, meta } = kept;
  const columns = Object.keys(post).map((column) => [
    column,
    (column in row ? row[column] : meta?.[column]) ?? null,
  ]);
  return { ...source, post: Object.fromEntries(columns) as PostRow };
};

/** A condition on a post `p`, and its values. */
export type And = { readonly and: string; readonly given: readonly string[] };

/** What keeps tags and authors from being listed for posts that are not shown. */
export const notAbsent = (table: RecordHolder, aside: SetAsideReader): And =>
  table === 'posts' || aside.isEmpty()
    ? { and: '', given: [] }
    : { and: `AND ${NOT_AMONG}`, given: [aside.posts().absent] };

/** Another program may have stored an id as anything. */
const NOT_AMONG = 'CAST(p.id AS TEXT) NOT IN (SELECT value FROM json_each(?))';

/** Leaves out pages, and posts that are not shown; an earlier row that is shown counts as what it was. */
export const onlyPosts = (aside: SetAsideReader): And => {
  if (aside.isEmpty()) return { and: "AND p.type = 'post'", given: [] };
  const { absent, page, post } = aside.posts();
  return {
    and: `AND ${NOT_AMONG} AND ${NOT_AMONG}
      AND (p.type = 'post' OR p.id IN (SELECT value FROM json_each(?)))`,
    given: [absent, page, post],
  };
};
