-- Members are listed by the time of their making, whatever form it is stored in: the expression is the one of
-- store/list-filter.ts. Without these a page of a long list sorts all of it.
DROP INDEX IF EXISTS members_by_created;
CREATE INDEX members_by_time ON members (
  CASE WHEN created_at GLOB '*-*' THEN strftime('%Y-%m-%dT%H:%M:%fZ', created_at)
    ELSE strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') END,
  id
);
CREATE INDEX members_by_status ON members (
  status,
  CASE WHEN created_at GLOB '*-*' THEN strftime('%Y-%m-%dT%H:%M:%fZ', created_at)
    ELSE strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') END,
  id
);
