-- What a publication follows: a source elsewhere, of which it takes what changed. Times are integer milliseconds.

CREATE TABLE following (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  -- What messages call the source, without password or key.
  source TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  -- Somebody ended following: until it is begun again, the content may be edited here.
  detached_at INTEGER,
  -- One more with each look that took something.
  revision INTEGER NOT NULL DEFAULT 0,
  -- Which columns were taken; others than now, or NULL, have everything compared.
  taken TEXT
);

-- Ids and marks of the source's rows as they were last taken, in blocks in the order of the ids. `upto` is the id of
-- a block's last row; `rows` has a line for each, the id, a space and the mark.
CREATE TABLE followed_blocks (
  name TEXT NOT NULL,
  upto TEXT NOT NULL,
  rows TEXT NOT NULL,
  PRIMARY KEY (name, upto)
) WITHOUT ROWID;

-- Rows of the source that could not be taken as they are.
CREATE TABLE followed_rows (
  name TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The id under which the publication has it, where that is another.
  target TEXT,
  -- 1: tried again when rows that it refers to, or that are in its way, have changed.
  is_waiting INTEGER NOT NULL,
  PRIMARY KEY (name, id)
) WITHOUT ROWID;
