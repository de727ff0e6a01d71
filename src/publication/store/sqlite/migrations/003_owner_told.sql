-- When the owner was mailed that the webhook was disabled; empty: not yet.
ALTER TABLE webhooks ADD COLUMN owner_told_at INTEGER;
UPDATE webhooks SET owner_told_at = updated_at WHERE status = 'disabled';
