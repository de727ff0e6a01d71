-- The build database. One row of `records` stands for all files of a record; the view `manifest` spells
-- them out. `hashes` is the concatenation of one SHA-256 per record variant, `sizes` a JSON array of the
-- fragments' bytes.
CREATE TABLE state (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  is_whole INTEGER NOT NULL DEFAULT 0,
  root TEXT NOT NULL DEFAULT '',
  fingerprint TEXT NOT NULL DEFAULT '',
  epoch TEXT NOT NULL DEFAULT '',
  seq INTEGER NOT NULL DEFAULT 0,
  nonce TEXT NOT NULL DEFAULT '',
  generation INTEGER NOT NULL DEFAULT 0
);
INSERT INTO state (id) VALUES (1);

CREATE TABLE records (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  slug TEXT NOT NULL,
  segment TEXT NOT NULL,
  fold TEXT NOT NULL,
  sort NOT NULL,
  is_public INTEGER NOT NULL,
  sizes TEXT NOT NULL,
  hashes BLOB NOT NULL,
  PRIMARY KEY (resource, id)
) WITHOUT ROWID;
CREATE INDEX records_by_fold ON records (resource, fold);
CREATE INDEX records_by_segment ON records (resource, segment);

CREATE TABLE files (
  path TEXT NOT NULL PRIMARY KEY,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  stamp TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE variants (
  resource TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (resource, position)
) WITHOUT ROWID;
INSERT INTO variants (resource, name, position) VALUES
  ('posts', 'index', 0), ('posts', 'authors', 1), ('posts', 'tags', 2), ('posts', 'authors-tags', 3),
  ('pages', 'index', 0), ('pages', 'authors', 1), ('pages', 'tags', 2), ('pages', 'authors-tags', 3),
  ('tags', 'index', 0), ('tags', 'count-posts', 1),
  ('authors', 'index', 0), ('authors', 'count-posts', 1);

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
  SELECT path, size, sha256, path FROM files;
