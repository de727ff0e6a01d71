// A file system without hard links, as exFAT and many on networks are.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of a command on such a file system. */
export const withoutHardLinks = (folder: string): { readonly NODE_OPTIONS: string } => {
  const preload = join(folder, 'no-links.mjs');
  writeFileSync(
    preload,
    `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
fs.linkSync = (from, to) => {
  throw Object.assign(new Error('EPERM: link ' + from + ' -> ' + to), { code: 'EPERM', syscall: 'link' });
};
syncBuiltinESMExports();
`,
  );
  return { NODE_OPTIONS: `--import ${preload}` };
};
