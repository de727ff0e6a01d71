-- Texts of a post as they were saved: the body is html only where there was no document of the editor.
CREATE TABLE post_revisions (
  id TEXT PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  html TEXT,
  lexical TEXT,
  -- The key that saved it; null: it was not known.
  key_id TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX post_revisions_of_post ON post_revisions (post_id, created_at);
