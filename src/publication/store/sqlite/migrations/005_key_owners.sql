-- Owner keys may change what belongs to other keys. The oldest admin key in force becomes one.
ALTER TABLE api_keys ADD COLUMN is_owner INTEGER NOT NULL DEFAULT 0 CHECK (is_owner IN (0, 1));
UPDATE api_keys SET is_owner = 1 WHERE id = (
  SELECT id FROM api_keys WHERE type = 'admin' AND revoked_at IS NULL ORDER BY created_at, id LIMIT 1);

-- Mails that carry a verification link, from before they are sent: what bounds them by key and by address.
CREATE TABLE verification_mails (
  id TEXT NOT NULL PRIMARY KEY,
  -- The admin key that asked; empty for mails from before this table.
  key_id TEXT,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
INSERT INTO verification_mails (id, address, created_at)
  SELECT token_sha256, value, created_at FROM verification_tokens;
