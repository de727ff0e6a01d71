-- What turns edits into files and deliveries: keys, webhooks, the change log, the position that was
-- published, builds, and the outbox (event -> delivery -> attempt). Times are integer milliseconds.

CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN ('content', 'admin', 'hook')),
  name TEXT NOT NULL,
  -- SHA-256 of the secret's text, in hex: how a content or hook key is found.
  secret_sha256 TEXT NOT NULL UNIQUE,
  -- AES-256-GCM under data/secret.key: an admin key must be recoverable to check a signature.
  secret_sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER,
  revoked_at INTEGER
);

CREATE TABLE webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  event TEXT NOT NULL,
  target_url TEXT NOT NULL,
  name TEXT,
  secret_sealed BLOB NOT NULL,
  previous_secret_sealed BLOB,
  previous_secret_until INTEGER,
  api_version TEXT NOT NULL DEFAULT 'v6.65',
  integration_id TEXT,
  status TEXT NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  disabled_reason TEXT,
  failing_since INTEGER,
  last_triggered_at INTEGER,
  last_triggered_status TEXT,
  last_triggered_error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER
);
CREATE INDEX webhooks_by_event ON webhooks (event, status);

-- One row while an admin save runs: the triggers copy the action id into the log.
CREATE TABLE action_scope (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  action TEXT
);
INSERT INTO action_scope (id, action) VALUES (1, NULL);

-- Written by triggers only. `row_id` is the id of the changed row, `record_id` the post, tag, author,
-- member or setting it belongs to, `other_id` the record it links (a post's type for posts themselves);
-- the `old_` columns say the same of the row before an update. `old` is the row before as JSON (`true`
-- where a long text is unchanged). `op` is i, u, d, or r: the row a REPLACE may be about to remove.
CREATE TABLE changes (
  seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  entity TEXT NOT NULL,
  op TEXT NOT NULL,
  row_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  other_id TEXT,
  old_record_id TEXT,
  old_other_id TEXT,
  old TEXT,
  action TEXT,
  nonce BLOB NOT NULL DEFAULT (randomblob(8))
);

-- The log's identity: another epoch means that rows may be missing and everything is built again.
CREATE TABLE log_state (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL,
  triggers_sha256 TEXT NOT NULL
);

-- The newest change whose files are durable and whose deliveries are queued.
CREATE TABLE published_position (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL,
  seq INTEGER NOT NULL,
  nonce BLOB,
  generation INTEGER NOT NULL,
  finished_at INTEGER NOT NULL
);

CREATE TABLE builds (
  id TEXT NOT NULL PRIMARY KEY,
  generation INTEGER,
  kind TEXT CHECK (kind IN ('full', 'incremental')),
  state TEXT NOT NULL CHECK (state IN ('requested', 'running', 'done', 'failed')),
  requested_by TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  report TEXT,
  error TEXT
);
CREATE INDEX builds_by_state ON builds (state, requested_at);

CREATE TABLE events (
  id TEXT NOT NULL PRIMARY KEY,
  generation INTEGER NOT NULL,
  action TEXT NOT NULL,
  event TEXT NOT NULL,
  record_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (generation, action, event, record_id, ordinal)
);

CREATE TABLE deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  -- The wait that led to due_at: a due time further ahead than this means that the clock went back.
  wait_ms INTEGER NOT NULL DEFAULT 0,
  -- Not tried before this time, unless the gate of its generation is opened earlier.
  held_until INTEGER,
  lease_owner TEXT,
  lease_until INTEGER,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  UNIQUE (event_id, webhook_id)
);
CREATE INDEX deliveries_due ON deliveries (state, due_at);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, state, due_at);
CREATE INDEX deliveries_by_time ON deliveries (created_at);

CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  response TEXT
);
CREATE INDEX attempts_by_delivery ON attempts (delivery_id, number);
CREATE INDEX attempts_by_time ON attempts (started_at);

CREATE TABLE verification_tokens (
  token_sha256 TEXT NOT NULL PRIMARY KEY,
  newsletter_id TEXT NOT NULL REFERENCES newsletters (id) ON DELETE CASCADE,
  property TEXT NOT NULL,
  value TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  revoked_at INTEGER
);
