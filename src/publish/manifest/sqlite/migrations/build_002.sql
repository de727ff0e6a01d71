-- What the records of each resource come to (record-checks.ts): SQLite does not notice a changed bit in a row.
CREATE TABLE checks (
  resource TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
