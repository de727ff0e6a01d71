// A file system without hard links, as exFAT and many on networks are.
import { withPreload } from './preload.ts';

/** The environment of a command on such a file system. */
export const withoutHardLinks = (folder: string) =>
  withPreload(
    folder,
    `import fs from 'node:fs';
fs.linkSync = (from, to) => {
  throw Object.assign(new Error('EPERM: link ' + from + ' -> ' + to), { code: 'EPERM', syscall: 'link' });
};`,
  );
