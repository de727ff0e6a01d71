// Builds docs/ into data/docs/site, or into the folder of DOCS_HOME: `npm run docs`. The sample publication is made once, for the content beside the pages.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const HOME = process.env.DOCS_HOME ?? join(ROOT, 'data/docs');

const run = (program, args, cwd) =>
  execFileSync(process.execPath, [join(ROOT, program), ...args], { cwd, stdio: 'inherit' });

mkdirSync(HOME, { recursive: true });
if (!existsSync(join(HOME, 'data/publication.db'))) run('dist/prepress.js', ['init'], HOME);
rmSync(join(HOME, 'site'), { recursive: true, force: true });
run('node_modules/@11ty/eleventy/cmd.cjs', ['--config=docs/eleventy.config.js'], ROOT);
console.log(`Wrote ${join(HOME, 'site/index.html')}`);
