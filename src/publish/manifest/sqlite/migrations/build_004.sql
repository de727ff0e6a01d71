-- The packed tree: what it has of each record, and its blobs. Lists are made from it, so records keep no order.
DROP VIEW manifest;
DROP TABLE records;
DROP TABLE checks;

CREATE TABLE records (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  slug TEXT NOT NULL,
  segment TEXT NOT NULL,
  fold TEXT NOT NULL,
  ms NUMERIC NOT NULL,
  title TEXT NOT NULL,
  pack BLOB NOT NULL,
  sizes TEXT NOT NULL,
  hashes BLOB NOT NULL,
  PRIMARY KEY (resource, id)
) WITHOUT ROWID;
CREATE INDEX records_by_fold ON records (resource, fold);
CREATE INDEX records_by_segment ON records (resource, segment);
CREATE INDEX records_by_other_name ON records (resource, slug, segment) WHERE segment <> slug;

-- `replaced_at`: milliseconds; NULL while the newest generation has it.
CREATE TABLE blobs (
  name TEXT NOT NULL PRIMARY KEY,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  replaced_at INTEGER
) WITHOUT ROWID;
CREATE INDEX blobs_by_replacing ON blobs (replaced_at) WHERE replaced_at IS NOT NULL;

CREATE VIEW manifest (path, size, sha256, source) AS
  SELECT
    r.resource || '/' || CASE k.by_slug WHEN 0 THEN r.id ELSE 'slug/' || r.segment END
      || '/' || v.name || '.json',
    -- The fragment stands between {"posts":[ and ]}.
    json_extract(r.sizes, '$[' || v.position || ']') + length(r.resource) + 7,
    substr(r.hashes, v.position * 32 + 1, 32),
    r.resource || '/' || r.id
  FROM records r
  JOIN variants v ON v.resource = r.resource
  CROSS JOIN (SELECT 0 AS by_slug UNION ALL SELECT 1) k
  UNION ALL
  SELECT path, size, sha256, path FROM files
  UNION ALL
  SELECT 'packed/' || substr(name, 1, 2) || '/' || substr(name, 3), size, sha256, name FROM blobs;

UPDATE state SET is_whole = 0;
