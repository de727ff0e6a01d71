// Whether one path lies within another, and where a path leads.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** True also for the folder itself. Both are absolute and without links. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The path without links, also of what is yet to be made. */
export const realPathOf = (path: string): string =>
  existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPathOf(dirname(path)), basename(path));
