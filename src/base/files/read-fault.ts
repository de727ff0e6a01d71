// Why a path that somebody named cannot be read, as a sentence.
import { codeOf, withSystemWords } from '../error-code.ts';

export const readFault = (path: string, cause: unknown): string => {
  const code = codeOf(cause);
  if (code === 'ENOENT') return `${path} does not exist.`;
  if (code === 'EISDIR') return `${path} is a folder, and a file is needed.`;
  if (code === 'EACCES') return `This user may not read ${path} (EACCES).`;
  return `${path} cannot be read${code === '' ? '' : `: ${withSystemWords(code)}`}.`;
};
