// Some file systems have no hard links: exFAT, many of those on networks, those of phones.

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

/** True for the error of a link that cannot be made there, where a copy serves. */
export const isLinkRefused = (error: unknown): boolean =>
  REFUSALS.has((error as NodeJS.ErrnoException).code ?? '');
