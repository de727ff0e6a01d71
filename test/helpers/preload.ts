// A command that finds a module of Node.js changed, in all its threads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of a command before which `code` runs. */
export const withPreload = (folder: string, code: string): { readonly NODE_OPTIONS: string } => {
  const preload = join(folder, 'preload.mjs');
  writeFileSync(
    preload,
    `import { syncBuiltinESMExports } from 'node:module';\n${code}\nsyncBuiltinESMExports();\n`,
  );
  return { NODE_OPTIONS: `--import ${preload}` };
};
