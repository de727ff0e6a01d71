-- Queries that the companion server was asked, by their canonical text; times in milliseconds.
CREATE TABLE asked_queries (
  resource TEXT NOT NULL,
  query TEXT NOT NULL,
  count INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (resource, query)
) WITHOUT ROWID;
