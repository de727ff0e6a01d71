-- A fault is that of a size, not of the picture. Those with faults are tried again, and all pictures looked at.
ALTER TABLE made ADD COLUMN fault TEXT NOT NULL DEFAULT '';
DELETE FROM made WHERE hash IN (SELECT hash FROM faults);
DROP TABLE faults;
UPDATE state SET asked = '';
