-- Newsletters that members had left when they were deleted: a source that brings them back does not subscribe them again. It
-- names nobody but by the id.
CREATE TABLE left_members (
  member_id TEXT NOT NULL,
  -- Empty: all.
  newsletter_id TEXT NOT NULL,
  left_at TEXT NOT NULL,
  PRIMARY KEY (member_id, newsletter_id)
);
