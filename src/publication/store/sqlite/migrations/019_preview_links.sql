-- What all links to previews are signed over; another text ends them. No row: they were never revoked.
CREATE TABLE preview_links (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL
);
CREATE INDEX posts_uuid ON posts (uuid);
