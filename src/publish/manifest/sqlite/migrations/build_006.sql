-- A sum of each row that builds trust (manifest-sums.ts): SQLite does not notice a changed bit in a row. That of
-- `state` is NULL while a build is under way or broke off.
ALTER TABLE state DROP COLUMN is_whole;
ALTER TABLE state ADD COLUMN sum INTEGER;
ALTER TABLE records ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
