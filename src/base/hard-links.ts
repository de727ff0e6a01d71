// Some file systems have no hard links: exFAT, and many of those on networks.

const REFUSALS = new Set(['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** True for the error of a link that cannot be made there, where a copy serves. */
export const isLinkRefused = (error: unknown): boolean =>
  REFUSALS.has((error as NodeJS.ErrnoException).code ?? '');
