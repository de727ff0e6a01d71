// Whether one path lies within another. Both are absolute and without links.
import { sep } from 'node:path';

/** True also for the folder itself. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
