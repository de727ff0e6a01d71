-- Names are placed in both normal forms of Unicode: every folder is read once more.
UPDATE folders SET source = '';

-- Paths that had a row while a bucket keeps the pictures, with the SHA-256 of their bytes.
CREATE TABLE shared (
  path TEXT NOT NULL PRIMARY KEY,
  sha256 TEXT NOT NULL
) WITHOUT ROWID;
