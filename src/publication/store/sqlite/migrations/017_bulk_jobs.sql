-- Work on many members, and of each piece of work the lines that are not done yet: one a member. A part of the work
-- removes its lines in the transaction that does them, so nobody does a line twice, whoever goes on after a kill.
CREATE TABLE bulk_jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('import', 'edit', 'delete')),
  -- JSON: what is done with a line.
  change TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reading', 'running', 'done', 'failed')),
  members_total INTEGER NOT NULL DEFAULT 0,
  members_done INTEGER NOT NULL DEFAULT 0,
  -- JSON: what was known before the first line was done, and numbers of what was done since.
  report TEXT NOT NULL,
  counts TEXT NOT NULL DEFAULT '{}',
  error TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE TABLE bulk_lines (
  job_id TEXT NOT NULL REFERENCES bulk_jobs (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (job_id, seq)
) WITHOUT ROWID;
