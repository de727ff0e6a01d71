-- What was placed in the output from the media folder. A folder's stamps say how it stood on both sides when it was
-- last read: while both are as they were, nothing was put into it or taken out.
CREATE TABLE place (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  root TEXT NOT NULL
);
INSERT INTO place (id, root) VALUES (1, '');

CREATE TABLE folders (
  path TEXT NOT NULL PRIMARY KEY,
  source TEXT NOT NULL,
  target TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE files (
  folder TEXT NOT NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  PRIMARY KEY (folder, name)
) WITHOUT ROWID;
