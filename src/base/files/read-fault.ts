// Why a path that somebody named cannot be read, as a sentence.

export const readFault = (path: string, cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return `${path} does not exist.`;
  if (code === 'EISDIR') return `${path} is a folder, and a file is needed.`;
  return `${path} cannot be read${code === '' ? '' : ` (${code})`}.`;
};
