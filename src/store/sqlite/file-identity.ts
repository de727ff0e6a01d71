// Which file stands at a path. A database whose file was replaced by a rename still reads from the old
// one, and nothing in SQLite tells: only the file's identity does.
import { statSync } from 'node:fs';

/** Null when no file stands there. */
export const findIdentity = (path: string): string | null => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}-${stat.ino}`;
};
