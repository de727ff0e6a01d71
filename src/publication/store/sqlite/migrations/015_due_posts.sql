-- Posts that the schedule published: the time of change that clients had seen, and the one that it wrote. It says
-- something of a post while the row still has that time.
CREATE TABLE due_posts (
  post_id TEXT NOT NULL PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  seen_at TEXT,
  updated_at TEXT NOT NULL
) WITHOUT ROWID;
