// Which posts and pages the web shows: the one place that says so, in SQL and for rows in memory. A post is
// shown when its status is `published` and its posts_meta row does not make it e-mail only. A value of
// email_only that cannot be understood counts as true: every doubt keeps the post off the web.

/** What means "not e-mail only", as text, in any case. */
const FALSE_TEXTS = ['0', '0.0', 'false'] as const;

/** SQL: true for a value of `email_only` that makes a post e-mail only. */
export const mailedValue = (value: string): string =>
  `(CAST(${value} AS TEXT) COLLATE NOCASE IN ('${FALSE_TEXTS.join("', '")}')) IS NOT TRUE`;

/** SQL: the same of rows of posts_meta, named `mailed`. An index of such rows has the same words. */
const IS_MAILED = mailedValue('mailed.email_only');

/** SQL: true for e-mail-only posts; `posts` is the name that the query gives the table. */
export const emailOnlyPost = (posts: string): string =>
  `EXISTS (SELECT 1 FROM posts_meta AS mailed WHERE mailed.post_id = ${posts}.id AND ${IS_MAILED})`;

/** SQL: true for the posts and pages that the web shows. */
export const publicPost = (posts: string): string =>
  `${posts}.status = 'published' AND NOT ${emailOnlyPost(posts)}`;

/** SQL: the same, for queries that look at thousands of posts: those that are e-mail only are read once, mostly none. */
export const publicAmongMany = (posts: string): string =>
  `${posts}.status = 'published' AND ${posts}.id NOT IN (
    SELECT mailed.post_id FROM posts_meta AS mailed WHERE mailed.post_id IS NOT NULL AND ${IS_MAILED})`;

/** What `emailOnlyPost` says of a posts_meta row; null: the post has none. */
export const isEmailOnly = (meta: { readonly email_only?: unknown } | null | undefined): boolean =>
  meta != null && !FALSE_TEXTS.some((text) => text === String(meta.email_only).toLowerCase());

/** What `publicPost` says of a record. */
export const isPublicPost = (record: {
  readonly post: { readonly status: string };
  readonly meta: { readonly email_only?: unknown } | null | undefined;
}): boolean => record.post.status === 'published' && !isEmailOnly(record.meta);
