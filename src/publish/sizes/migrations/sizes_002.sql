-- Why no sizes can be made at all; empty: they can.
ALTER TABLE state ADD COLUMN problem TEXT NOT NULL DEFAULT '';
