-- Which pictures are shown in which sizes, what was made of them, and what stands in the output.
CREATE TABLE state (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  asked TEXT NOT NULL,
  root TEXT NOT NULL
);
INSERT INTO state (id, asked, root) VALUES (1, '', '');

-- An empty size stands for the widths of the settings.
CREATE TABLE uses (
  record TEXT NOT NULL,
  path TEXT NOT NULL,
  size TEXT NOT NULL,
  PRIMARY KEY (record, path, size)
) WITHOUT ROWID;
CREATE INDEX uses_path ON uses (path, size);

-- A picture as it was when its hash was taken.
CREATE TABLE originals (
  path TEXT NOT NULL PRIMARY KEY,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  hash TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX originals_hash ON originals (hash);

-- An empty file: the original answers.
CREATE TABLE made (
  hash TEXT NOT NULL,
  size TEXT NOT NULL,
  file TEXT NOT NULL,
  PRIMARY KEY (hash, size)
) WITHOUT ROWID;
CREATE INDEX made_file ON made (file);

CREATE TABLE faults (
  hash TEXT NOT NULL PRIMARY KEY,
  reason TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE placed (
  address TEXT NOT NULL PRIMARY KEY,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX placed_path ON placed (path);

CREATE TABLE waiting (path TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
