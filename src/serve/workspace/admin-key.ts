// Leaves the admin key in a file beside the database that only its owner can read. The file is there whole
// or not at all, and one that holds no key of this database is replaced.
import { readFileSync } from 'node:fs';
import { writeWhole } from '../../base/files/write-whole.ts';
import { findShownKey, isKnownKey, type KeysContext } from '../admin/keys/keys.ts';

/** A key that was revoked stays in the file: whoever revoked it knows why. */
export const shareAdminKey = async (context: KeysContext, path: string): Promise<void> => {
  if (await isKnownKey(context, 'admin', readText(path))) return;
  const key = await findShownKey(context, 'admin');
  if (key !== null) writeWhole(path, `${key}\n`);
};

/** A file that cannot be read counts as empty. */
const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};
