-- What events say of their records, stored once each and compressed (raw deflate). In events.payload one character
-- (U+001A, which JSON escapes) stands for the body; a payload without it is whole.
CREATE TABLE event_bodies (
  id INTEGER NOT NULL PRIMARY KEY,
  -- Of the text, in UTF-8.
  sha256 BLOB NOT NULL UNIQUE,
  body BLOB NOT NULL
);
-- Null for an event without a body, and once the body is no longer kept.
ALTER TABLE events ADD COLUMN body_id INTEGER REFERENCES event_bodies (id) ON DELETE SET NULL;
CREATE INDEX events_by_body ON events (body_id);
