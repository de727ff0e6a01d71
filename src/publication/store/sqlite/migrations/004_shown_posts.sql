-- A full build asks for the slug and the time of every post that is shown, and for nothing of their long rows.
DROP INDEX IF EXISTS posts_by_status;
CREATE INDEX posts_by_status ON posts (status, type, published_at, id, slug);
