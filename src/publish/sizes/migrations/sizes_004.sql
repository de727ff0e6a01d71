-- Names with an apostrophe, and those that are not in NFC, were not found: all records are looked at again.
UPDATE state SET asked = '';
