-- Records whose row cannot be rendered, until it can again. No trigger watches this table. An entry holds while its
-- row stays as it was at change `seq`; a later change of the row has it rendered and judged anew.
CREATE TABLE set_aside (
  -- posts, tags or users.
  entity TEXT NOT NULL,
  id TEXT NOT NULL,
  -- JSON: the fields that cannot be rendered, each with its reason.
  problems TEXT NOT NULL,
  -- Milliseconds.
  since INTEGER NOT NULL,
  epoch TEXT NOT NULL,
  seq INTEGER NOT NULL,
  -- The change that broke the row, and the one from which on nothing is shown of the record.
  broken_seq INTEGER NOT NULL,
  hidden_seq INTEGER,
  -- JSON of the earlier row that is shown: its place in lists, and all of it. Null when nothing is shown.
  kept_key TEXT,
  kept TEXT,
  PRIMARY KEY (entity, id)
);
