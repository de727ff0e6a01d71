// Some file systems have no hard links: exFAT, many of those on networks, those of phones.
import { linkSync } from 'node:fs';

/** What else may be behind one of these, the copy meets as well. */
const REFUSALS: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'EXDEV',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'ENOSYS',
  'EISDIR',
]);

/** Gives `from` the further name `to`; false where there are no hard links, so a copy has to serve. */
export const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (REFUSALS.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
};
