-- Why the row of the source is not taken as it is, where documents show it: JSON, with the time since then in
-- milliseconds.
ALTER TABLE followed_rows ADD COLUMN problem TEXT;
ALTER TABLE followed_rows ADD COLUMN since INTEGER;
