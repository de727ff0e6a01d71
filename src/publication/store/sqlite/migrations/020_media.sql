-- Pictures and other files that a bucket keeps, under the SHA-256 of their bytes.
CREATE TABLE media (
  path TEXT PRIMARY KEY,
  -- The largest so far and one more, with each row that is written.
  number INTEGER NOT NULL UNIQUE,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL
);
