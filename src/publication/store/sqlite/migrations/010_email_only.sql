-- The posts_meta rows of posts that are e-mail only, by the words of store/shown-posts.ts: mostly none, so that asking
-- each post of a tag whether it is one costs next to nothing.
CREATE INDEX posts_meta_email_only ON posts_meta (post_id)
  WHERE (CAST(email_only AS TEXT) COLLATE NOCASE IN ('0', '0.0', 'false')) IS NOT TRUE;
