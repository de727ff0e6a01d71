-- When old deliveries were last looked for, and since when the clock has gone on without a jump; milliseconds.
ALTER TABLE published_position ADD COLUMN swept_at INTEGER;
ALTER TABLE published_position ADD COLUMN steady_since INTEGER;
